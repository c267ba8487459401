#include "engine/codec/postings/postings_writer.h"

#include <algorithm>

#include "engine/codec/byte_width.h"
#include "engine/codec/pack/patched.h"
#include "engine/codec/postings/postings_format.h"
#include "engine/util/bytes.h"
#include "fmt/format.h"

namespace curlew::codec {

void PostingsWriter::StartField(IndexOptions options, std::span<const uint8_t> norms) {
  options_ = options;
  norms_ = norms;
}

void PostingsWriter::StartTerm() {
  entry_ = {};
  last_doc_ = -1;
  block_base_ = 0;
  gaps_.clear();
  freqs_.clear();
  positions_.clear();
  front_.Clear();
  last_docs_.clear();
  offsets_.clear();
  fronts_.clear();
}

void PostingsWriter::Add(DocId doc, uint32_t freq, std::span<const uint32_t> positions) {
  if (static_cast<int64_t>(doc) <= last_doc_ || doc >= kNoMoreDocs || freq == 0 ||
      (!norms_.empty() && doc >= norms_.size())) {
    status_.Update(absl::InternalError(
        fmt::format("posting of document {} ({} times) after {}", doc, freq, last_doc_)));
    return;
  }
  if (options_ < IndexOptions::kFreqs) freq = 1;
  gaps_.push_back(static_cast<uint32_t>(doc - last_doc_ - 1));
  if (options_ >= IndexOptions::kFreqs) freqs_.push_back(freq - 1);
  if (options_ >= IndexOptions::kPositions) AddPositions(freq, positions);
  if (scored()) front_.Add({freq, norms_.empty() ? kNoNorm : norms_[doc]});
  last_doc_ = doc;
  ++entry_.doc_freq;
  entry_.total_term_freq += freq;
  if (gaps_.size() == kPostingsBlock) FlushBlock();
}

void PostingsWriter::AddPositions(uint32_t freq, std::span<const uint32_t> positions) {
  if (positions.size() != freq || !std::is_sorted(positions.begin(), positions.end())) {
    status_.Update(absl::InternalError(
        fmt::format("{} positions for frequency {}, or unsorted", positions.size(), freq)));
    positions_.insert(positions_.end(), freq, 0);
    return;
  }
  uint32_t previous = 0;
  for (const uint32_t position : positions) {
    positions_.push_back(position - previous);
    previous = position;
  }
}

void PostingsWriter::AppendDocs() {
  const size_t start = buffer_.size();
  AppendPatched(buffer_, gaps_);
  const auto bits = static_cast<uint64_t>(last_doc_ - block_base_ + 1);
  const uint64_t words = (bits + 63) / 64;
  if (words > kMostBitSetWords || 2 + 8 * words >= buffer_.size() - start) return;
  std::vector<uint64_t> set(words, 0);
  uint64_t at = 0;
  for (const uint32_t gap : gaps_) {
    at += gap;
    set[at / 64] |= uint64_t{1} << (at % 64);
    ++at;
  }
  buffer_.resize(start);
  buffer_.push_back(static_cast<char>(kBitSetBlock));
  buffer_.push_back(static_cast<char>(words));
  AppendWidth(buffer_, std::span<const uint64_t>(set), sizeof(uint64_t));
}

void PostingsWriter::FlushBlock() {
  offsets_.push_back(out_.position());
  last_docs_.push_back(static_cast<uint32_t>(last_doc_));
  buffer_.clear();
  AppendDocs();
  if (options_ >= IndexOptions::kFreqs) AppendPatched(buffer_, freqs_);
  for (size_t i = 0; i < positions_.size(); i += kPositionsChunk) {
    const size_t count = std::min<size_t>(kPositionsChunk, positions_.size() - i);
    AppendPatched(buffer_, std::span<const uint32_t>(positions_).subspan(i, count));
  }
  out_.Append(buffer_);
  if (scored()) {
    fronts_.push_back(static_cast<char>(front_.impacts().size()));
    uint32_t freq = 0;
    for (const Impact& impact : front_.impacts()) {
      PutVarint(fronts_, impact.freq - freq - 1);
      fronts_.push_back(static_cast<char>(impact.norm));
      freq = impact.freq;
    }
    front_.Clear();
  }
  block_base_ = last_doc_ + 1;
  gaps_.clear();
  freqs_.clear();
  positions_.clear();
}

void PostingsWriter::AppendTable() {
  const uint64_t start = out_.position();
  std::vector<uint64_t> distances;
  for (const uint64_t offset : offsets_) distances.push_back(start - offset);
  const uint32_t width = distances.front() <= 0xffffffff ? 4 : 8;  // the first is the farthest
  buffer_.clear();
  buffer_.push_back(static_cast<char>(width | (fronts_.empty() ? 0 : kTableHasFronts)));
  AppendWidth(buffer_, std::span<const uint32_t>(last_docs_), sizeof(uint32_t));
  AppendWidth(buffer_, std::span<const uint64_t>(distances), width);
  buffer_ += fronts_;
  out_.Append(buffer_);
}

TermEntry PostingsWriter::FinishTerm() {
  if (entry_.doc_freq == 0) return entry_;
  if (entry_.doc_freq == 1) {
    entry_.postings_offset = out_.position();
    entry_.single = static_cast<DocId>(last_doc_);
    buffer_.clear();
    for (const uint32_t gap : positions_) PutVarint(buffer_, gap);
    out_.Append(buffer_);
    return entry_;
  }
  if (!gaps_.empty()) FlushBlock();
  entry_.postings_offset = offsets_.size() == 1 ? offsets_[0] : out_.position();
  if (offsets_.size() > 1) AppendTable();
  return entry_;
}

void PostingsWriter::Finish() { out_.Append(std::string(kPackSlack, '\0')); }

}  // namespace curlew::codec
