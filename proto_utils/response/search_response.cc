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

// Writes the hits of a part one behind the other into memory that is taken once, sized by the first
// hit: a hit costs what its id and source cost (known beforehand for all of them) and a near
// constant rest.
class Part : public search::HitVisitor {
 public:
  explicit Part(Room& room) : room_(room) {}
  ~Part() override { std::free(base_); }

  void OnStart(uint64_t hits, uint64_t bytes) override {
    expected_hits_ = hits;
    expected_bytes_ = bytes;
  }

  // Flattened: of 30,000 small hits, calls inside would be a third of the time.
  [[gnu::flatten]] bool OnHits(std::span<const search::Hit> hits) override {
    for (const search::Hit& hit : hits) {
      WireHitSize size;
      FillHit(hit, size);
      const size_t needed = wire::LengthFieldSize(kInnerHits, size.size());
      if (!Reserve(needed, hit)) return false;
      WireHitSink sink(wire::PutLength(base_ + end_, kInnerHits, size.size()));
      FillHit(hit, sink);
      end_ += needed;
    }
    return true;
  }

  bool failed() const { return failed_; }
  // Of the hits.
  size_t size() const { return end_ - kGap; }
  // The first hit, with kGap bytes of room before it.
  char* begin() { return base_ + kGap; }
  // Where `bytes` more can be written behind the last hit; null, and failed(), when there is no
  // memory.
  char* Extend(size_t bytes) {
    const size_t wanted = end_ + bytes;
    if (failed_ || (wanted > capacity_ && !Grow(wanted))) return nullptr;
    return base_ + std::exchange(end_, wanted);
  }
  // The memory with the bytes from `data` on; nothing is left here.
  ResponseBuffer::Piece Release(const char* data) {
    const std::string_view bytes(data, static_cast<size_t>(base_ + end_ - data));
    return {std::exchange(base_, nullptr), bytes};
  }

 private:
  // Makes room for `needed` more bytes and a tail; false, and failed_, when there is none.
  bool Reserve(size_t needed, const search::Hit& first);
  bool Grow(size_t capacity);

  Room& room_;
  char* base_ = nullptr;
  size_t capacity_ = 0;
  size_t end_ = kGap;  // where the next hit goes
  uint64_t expected_hits_ = 0;
  uint64_t expected_bytes_ = 0;
  bool failed_ = false;
};

bool Part::Grow(size_t capacity) {
  if (failed_ || !room_.Take(capacity - capacity_)) {
    failed_ = true;
    return false;
  }
  auto* grown = static_cast<char*>(std::realloc(base_, capacity));
  if (grown == nullptr) {
    failed_ = true;
    return false;
  }
  base_ = grown;
  capacity_ = capacity;
  return true;
}

bool Part::Reserve(size_t needed, const search::Hit& first) {
  if (failed_ || needed > kMostBytes - end_) {
    failed_ = true;
    return false;
  }
  const size_t wanted = end_ + needed + kTail;
  if (wanted <= capacity_) return true;
  if (base_ != nullptr) return Grow(std::max(wanted, capacity_ + capacity_ / 2));
  // Sort texts and routings may differ from hit to hit, and lengths take more bytes in longer hits.
  constexpr uint64_t kSlack = 8;
  const size_t content = first.id.size() + (first.source.has_value() ? first.source->size() : 0);
  const uint64_t rest = needed - std::min(needed, content) + kSlack;
  const uint64_t most = kMostBytes;
  const uint64_t estimate = std::min(expected_bytes_, most) +
                            (expected_hits_ > most / rest ? most : expected_hits_ * rest);
  return Grow(std::max<uint64_t>(wanted, kGap + std::min(estimate, most) + kTail));
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
    parts_.front().Extend(0);  // memory for the gap, also without a hit
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
  for (Part& part : parts_)
    out.Append(part.Release(&part == &parts_.front() ? begin : part.begin()));
  return absl::OkStatus();
}

}  // namespace

std::unique_ptr<SearchResponseWriter> SearchResponseWriter::Create(Charge charge) {
  return std::make_unique<Writer>(std::move(charge));
}

}  // namespace curlew::proto_utils
