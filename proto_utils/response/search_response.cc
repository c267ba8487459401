#include "proto_utils/response/search_response.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <limits>
#include <span>
#include <utility>

#include "engine/util/error.h"
#include "proto_utils/response/hit_converter.h"
#include "proto_utils/response/search_head.h"
#include "proto_utils/response/wire.h"
#include "proto_utils/response/wire_hit_sink.h"
#include "protos/opensearch/search_response.pb.h"

namespace curlew::proto_utils {

using org::opensearch::protobufs::HitsMetadataMaxScore;
using org::opensearch::protobufs::HitsMetadataTotal;
using org::opensearch::protobufs::SearchResponse;

ResponseBuffer::ResponseBuffer(ResponseBuffer&& other) noexcept
    : pieces_(std::exchange(other.pieces_, {})) {}

ResponseBuffer& ResponseBuffer::operator=(ResponseBuffer&& other) noexcept {
  std::swap(pieces_, other.pieces_);
  return *this;
}

ResponseBuffer::~ResponseBuffer() {
  for (const Piece& piece : pieces_) std::free(piece.base);
}

size_t ResponseBuffer::size() const {
  size_t size = 0;
  for (const Piece& piece : pieces_) size += piece.bytes.size();
  return size;
}

std::vector<ResponseBuffer::Piece> ResponseBuffer::Release() { return std::exchange(pieces_, {}); }

namespace {

// Numbers of SearchResponse.hits and of HitsMetadata's fields.
constexpr int kHits = 5;
constexpr int kTotal = 1;
constexpr int kInnerHits = 2;
constexpr int kMaxScore = 3;

// In front of the hits: room for the head (about 30 bytes without failures) and what opens the
// hits.
constexpr size_t kGap = 128;
// What opens the hits: a tag and a length of at most 5 bytes, the total with at most 15.
constexpr size_t kMostOpening = 24;
// Behind the hits: max_score, and a guess at the rest.
constexpr size_t kTail = 64;
// Memory that is taken at once, unless one hit needs more: small enough that a first hit that is
// like no other wastes little, large enough that a piece is nothing beside its hits.
constexpr size_t kLargestPiece = 512 * 1024;
// Parsers refuse longer messages.
constexpr size_t kMostBytes = std::numeric_limits<int32_t>::max();

// Bytes that all parts of a response may take together. Thread-safe.
class Room {
 public:
  explicit Room(SearchResponseWriter::Charge charge) : charge_(std::move(charge)) {}

  bool Take(size_t bytes) {
    return taken_.fetch_add(bytes) + bytes <= 2 * kMostBytes &&
           (charge_ == nullptr || charge_(static_cast<int64_t>(bytes)));
  }

 private:
  const SearchResponseWriter::Charge charge_;
  std::atomic<size_t> taken_{0};
};

// Writes the hits of a part one behind the other, into pieces that never move: what is written is
// written once.
class Part : public search::HitVisitor {
 public:
  explicit Part(Room& room) : room_(room) {}
  ~Part() override {
    for (const ResponseBuffer::Piece& piece : full_) std::free(piece.base);
    std::free(base_);
  }

  void OnStart(uint64_t hits) override { expected_hits_ = hits; }

  // Flattened: of 30,000 small hits, calls inside would be a third of the time.
  [[gnu::flatten]] bool OnHits(std::span<const search::Hit> hits) override {
    for (size_t i = 0; i < hits.size(); ++i) {
      WireHitSize size;
      FillHit(hits[i], size);
      const size_t needed = wire::LengthFieldSize(kInnerHits, size.size());
      if (needed > left() && !Open(needed, hits.subspan(i))) return false;
      WireHitSink sink(wire::PutLength(end_, kInnerHits, size.size()));
      FillHit(hits[i], sink);
      end_ += needed;
    }
    written_hits_ += hits.size();
    return true;
  }

  bool failed() const { return failed_; }
  // Of the hits.
  size_t size() const { return full_bytes_ + static_cast<size_t>(end_ - start_); }
  // The first hit, with kGap bytes of room before it; null, and failed(), when there is no memory.
  char* begin() {
    if (!failed_ && base_ == nullptr) Open(0, {});
    if (failed_) return nullptr;
    return full_.empty() ? start_ : full_.front().base + kGap;
  }
  // Where `bytes` more can be written behind the last hit; null, and failed(), when there is no
  // memory.
  char* Extend(size_t bytes) {
    if (failed_ || ((base_ == nullptr || bytes > left()) && !Open(bytes, {}))) return nullptr;
    return std::exchange(end_, end_ + bytes);
  }
  // Hands over the pieces, the first one with the bytes from `first` on; nothing is left here.
  void Release(const char* first, ResponseBuffer& out) {
    Close();
    for (ResponseBuffer::Piece& piece : full_) {
      if (&piece == &full_.front()) {
        piece.bytes = {first, static_cast<size_t>(piece.bytes.data() + piece.bytes.size() - first)};
      }
      out.Append(piece);
    }
    full_.clear();
  }

 private:
  size_t left() const { return static_cast<size_t>(limit_ - end_); }
  // Makes `needed` bytes of room in a new piece, which is to hold `hits`, the next ones, and those
  // that follow; false, and failed_, when there is none.
  bool Open(size_t needed, std::span<const search::Hit> hits);
  // What is written goes to the full pieces.
  void Close() {
    if (base_ == nullptr) return;
    const auto bytes = static_cast<size_t>(end_ - start_);
    full_.push_back({base_, {start_, bytes}});
    full_bytes_ += bytes;
    base_ = start_ = end_ = limit_ = nullptr;
  }

  Room& room_;
  std::vector<ResponseBuffer::Piece> full_;
  size_t full_bytes_ = 0;
  // The open piece, if there is one: its memory, its first byte, the next one, the end.
  char* base_ = nullptr;
  char* start_ = nullptr;
  char* end_ = nullptr;
  char* limit_ = nullptr;
  uint64_t expected_hits_ = 0;
  uint64_t written_hits_ = 0;
  bool failed_ = false;
};

bool Part::Open(size_t needed, std::span<const search::Hit> hits) {
  if (failed_ || needed > kMostBytes - size()) {
    failed_ = true;
    return false;
  }
  Close();
  // As the next hits are, so will the others be.
  size_t wanted = needed;
  if (!hits.empty()) {
    size_t bytes = 0;
    for (const search::Hit& hit : hits) {
      WireHitSize size;
      FillHit(hit, size);
      bytes += wire::LengthFieldSize(kInnerHits, size.size());
    }
    const uint64_t more = expected_hits_ - std::min(expected_hits_, written_hits_);
    const size_t each = bytes / hits.size() + 1;
    wanted = std::max(needed, each * std::min<uint64_t>(more, kLargestPiece / each));
  }
  const size_t capacity = kGap + wanted + kTail;
  base_ = room_.Take(capacity) ? static_cast<char*>(std::malloc(capacity)) : nullptr;
  if (base_ == nullptr) {
    failed_ = true;
    return false;
  }
  start_ = end_ = base_ + kGap;
  limit_ = base_ + capacity;
  return true;
}

class Writer : public SearchResponseWriter {
 public:
  explicit Writer(Charge charge) : room_(std::move(charge)) { Begin(1); }

  void Begin(size_t parts) override {
    parts_.clear();
    for (size_t i = 0; i < parts; ++i) parts_.emplace_back(room_);
  }
  search::HitVisitor& part(size_t i) override { return parts_[i]; }

  absl::Status Finish(const search::SearchResult& result, const SearchTimes& times,
                      ResponseBuffer& out) override;

 private:
  Room room_;
  std::deque<Part> parts_;  // at least one
};

absl::Status Writer::Finish(const search::SearchResult& result, const SearchTimes& times,
                            ResponseBuffer& out) {
  HitsMetadataTotal total;
  FillTotal(result, total);
  HitsMetadataMaxScore max_score;
  FillMaxScore(result, max_score);
  SearchResponse head;
  FillHead(result, times, head);
  const size_t head_size = head.ByteSizeLong();
  const size_t total_size = total.ByteSizeLong();
  const size_t max_score_size = max_score.ByteSizeLong();
  const size_t max_score_field = wire::LengthFieldSize(kMaxScore, max_score_size);

  size_t hits_bytes = 0;
  bool failed = false;
  for (const Part& part : parts_) {
    hits_bytes += part.size();
    failed = failed || part.failed();
  }
  // Fields may stand in any order: a head that is too long for the gap goes behind.
  const bool in_front = head_size + kMostOpening <= kGap;
  char* tail = nullptr;
  if (!failed && hits_bytes + kGap + max_score_field + head_size <= kMostBytes) {
    parts_.front().begin();  // memory for the gap, also without a hit
    tail = parts_.back().Extend(max_score_field + (in_front ? 0 : head_size));
  }
  if (tail == nullptr || parts_.front().failed()) {
    return MakeError("circuit_breaking_exception", 429,
                     fmt::format("the response is too large: {} hits of more than {} bytes",
                                 result.hits.size(), hits_bytes));
  }
  const auto put = [](const google::protobuf::MessageLite& message, char* p) {
    return reinterpret_cast<char*>(
        message.SerializeWithCachedSizesToArray(reinterpret_cast<uint8_t*>(p)));
  };
  tail = put(max_score, wire::PutLength(tail, kMaxScore, max_score_size));
  if (!in_front) put(head, tail);

  const size_t total_field = wire::LengthFieldSize(kTotal, total_size);
  const size_t hits_size = total_field + hits_bytes + max_score_field;
  const size_t opening = wire::TagSize(kHits) + wire::VarintSize(hits_size) + total_field;
  char* const begin = parts_.front().begin() - opening - (in_front ? head_size : 0);
  char* p = begin;
  if (in_front) p = put(head, p);
  p = wire::PutLength(p, kHits, hits_size);
  put(total, wire::PutLength(p, kTotal, total_size));

  out = ResponseBuffer();
  for (Part& part : parts_) part.Release(&part == &parts_.front() ? begin : part.begin(), out);
  return absl::OkStatus();
}

}  // namespace

std::unique_ptr<SearchResponseWriter> SearchResponseWriter::Create(Charge charge) {
  return std::make_unique<Writer>(std::move(charge));
}

}  // namespace curlew::proto_utils
