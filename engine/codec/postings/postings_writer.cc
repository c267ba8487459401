#include "engine/codec/postings/postings_writer.h"

#include <algorithm>

#include "engine/codec/byte_width.h"
#include "engine/codec/postings/postings_format.h"
#include "engine/util/bytes.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

uint32_t MaxOf(const std::vector<uint32_t>& values) {
  uint32_t max = 0;
  for (const uint32_t v : values) max = std::max(max, v);
  return max;
}

// 0, 1, 2, 3 for a width of 0, 1, 2, 4 bytes.
uint8_t WidthCode(uint32_t width) { return static_cast<uint8_t>(width == 4 ? 3 : width); }

}  // namespace

void PostingsWriter::StartTerm(IndexOptions options) {
  options_ = options;
  entry_ = {};
  last_doc_ = -1;
  gaps_.clear();
  freqs_.clear();
  positions_.clear();
  block_last_docs_.clear();
  block_offsets_.clear();
}

void PostingsWriter::Add(DocId doc, uint32_t freq, std::span<const uint32_t> positions) {
  if (static_cast<int64_t>(doc) <= last_doc_ || doc >= kNoMoreDocs || freq == 0) {
    status_.Update(absl::InternalError(
        fmt::format("posting of document {} ({} times) after {}", doc, freq, last_doc_)));
    return;
  }
  gaps_.push_back(static_cast<uint32_t>(doc - last_doc_ - 1));
  if (options_ >= IndexOptions::kFreqs) freqs_.push_back(freq - 1);
  if (options_ >= IndexOptions::kPositions) {
    if (positions.size() != freq || !std::is_sorted(positions.begin(), positions.end())) {
      status_.Update(absl::InternalError(
          fmt::format("{} positions for frequency {}, or unsorted", positions.size(), freq)));
      positions_.insert(positions_.end(), freq, 0);
    } else {
      uint32_t previous = 0;
      for (const uint32_t position : positions) {
        positions_.push_back(position - previous);
        previous = position;
      }
    }
  }
  last_doc_ = doc;
  ++entry_.doc_freq;
  entry_.total_term_freq += options_ >= IndexOptions::kFreqs ? freq : 1;
  if (gaps_.size() == kPostingsBlock) FlushBlock();
}

void PostingsWriter::FlushBlock() {
  const uint32_t gap_width = WidthFor(MaxOf(gaps_));
  const uint32_t freq_width = WidthFor(MaxOf(freqs_));
  // At least one byte, so that a reader can hold a count of positions against the file's length.
  const uint32_t position_width = positions_.empty() ? 0 : WidthFor(MaxOf(positions_) | 1);
  block_offsets_.push_back(out_.position());
  block_last_docs_.push_back(static_cast<uint32_t>(last_doc_));
  buffer_.clear();
  buffer_.push_back(static_cast<char>(WidthCode(gap_width) | WidthCode(freq_width) << 2 |
                                      WidthCode(position_width) << 4));
  AppendWidth(buffer_, std::span<const uint32_t>(gaps_), gap_width);
  AppendWidth(buffer_, std::span<const uint32_t>(freqs_), freq_width);
  AppendWidth(buffer_, std::span<const uint32_t>(positions_), position_width);
  out_.Append(buffer_);
  gaps_.clear();
  freqs_.clear();
  positions_.clear();
}

TermEntry PostingsWriter::FinishTerm() {
  if (options_ == IndexOptions::kDocs && entry_.doc_freq == 1) {
    entry_.single = static_cast<DocId>(last_doc_);
    return entry_;
  }
  if (!gaps_.empty()) FlushBlock();
  if (entry_.doc_freq == 0) return entry_;
  if (block_offsets_.size() == 1) {
    entry_.postings_offset = block_offsets_[0];
    return entry_;
  }
  entry_.postings_offset = out_.position();
  buffer_.clear();
  AppendWidth(buffer_, std::span<const uint32_t>(block_last_docs_), sizeof(uint32_t));
  AppendWidth(buffer_, std::span<const uint64_t>(block_offsets_), sizeof(uint64_t));
  out_.Append(buffer_);
  return entry_;
}

}  // namespace curlew::codec
