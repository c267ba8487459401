#include "engine/codec/terms/terms_writer.h"

#include <algorithm>
#include <span>

#include "engine/codec/sections.h"
#include "engine/codec/terms/terms_format.h"
#include "engine/util/bytes.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {

void TermsWriter::StartField(std::string_view field, IndexOptions options) {
  if (field_count_ > 0 && field <= field_) {
    status_.Update(absl::InternalError(fmt::format("field [{}] after [{}]", field, field_)));
  }
  field_ = field;
  options_ = options;
  stats_ = {};
  term_count_ = 0;
  last_term_.clear();
  last_offset_ = 0;
  in_block_ = 0;
  block_.clear();
  block_offsets_.clear();
  first_term_ends_.clear();
  prefixes_.clear();
  first_terms_.clear();
  filter_.Start(0);
}

void TermsWriter::Add(std::string_view term, const TermEntry& entry) {
  if ((term_count_ > 0 && term <= last_term_) || entry.postings_offset < last_offset_) {
    status_.Update(absl::InternalError(
        fmt::format("field [{}]: term [{}] after [{}]", field_, Clip(term), Clip(last_term_))));
    return;
  }
  if (in_block_ == kTermBlock) FlushBlock();
  if (in_block_ == 0) {
    prefixes_.push_back(TermPrefix(term));
    first_terms_.append(term);
    first_term_ends_.push_back(first_terms_.size());
    last_offset_ = 0;
  } else {
    const size_t limit = std::min(term.size(), last_term_.size());
    size_t shared = 0;
    while (shared < limit && term[shared] == last_term_[shared]) ++shared;
    PutVarint(block_, shared);
    PutString(block_, term.substr(shared));
  }
  PutVarint(block_, entry.doc_freq);
  if (options_ >= IndexOptions::kFreqs) {
    PutVarint(block_, entry.total_term_freq - entry.doc_freq);
  }
  if (entry.doc_freq == 1) PutVarint(block_, entry.single);
  if (HasPostings(options_, entry.doc_freq)) {
    PutVarint(block_, entry.postings_offset - last_offset_);
    last_offset_ = entry.postings_offset;
  }
  filter_.Add(term);
  last_term_.assign(term);
  ++in_block_;
  ++term_count_;
  stats_.sum_doc_freq += entry.doc_freq;
  stats_.sum_total_term_freq += entry.total_term_freq;
}

void TermsWriter::FlushBlock() {
  block_offsets_.push_back(out_.position());
  out_.Append(block_);
  block_.clear();
  in_block_ = 0;
}

void TermsWriter::FinishField(uint32_t doc_count) {
  if (term_count_ == 0) return;
  FlushBlock();
  stats_.doc_count = doc_count;
  ++field_count_;
  PutString(contents_, field_);
  contents_.push_back(static_cast<char>(options_));
  PutVarint(contents_, stats_.doc_count);
  PutVarint(contents_, stats_.sum_doc_freq);
  PutVarint(contents_, stats_.sum_total_term_freq);
  PutVarint(contents_, term_count_);
  PutVarint(contents_, AppendArray(out_, std::span<const uint64_t>(block_offsets_)));
  PutVarint(contents_, AppendArray(out_, std::span<const uint64_t>(prefixes_)));
  PutVarint(contents_, AppendArray(out_, std::span<const uint64_t>(first_term_ends_)));
  PutVarint(contents_, out_.position());
  PutVarint(contents_, first_terms_.size());
  out_.Append(first_terms_);
  PutVarint(contents_, filter_.words().size());
  if (!filter_.words().empty()) PutVarint(contents_, AppendArray(out_, filter_.words()));
}

void TermsWriter::Finish() {
  std::string contents;
  PutVarint(contents, field_count_);
  contents += contents_;
  AppendContents(out_, contents);
}

}  // namespace curlew::codec
