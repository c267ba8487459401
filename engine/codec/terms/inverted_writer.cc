#include "engine/codec/terms/inverted_writer.h"

#include <utility>

#include "engine/codec/postings/postings_format.h"
#include "engine/codec/postings/postings_writer.h"
#include "engine/codec/terms/terms_format.h"
#include "engine/codec/terms/terms_writer.h"
#include "engine/store/checked_file.h"
#include "engine/util/error.h"

namespace curlew::codec {
namespace {

class Writer final : public InvertedWriter {
 public:
  Writer(std::unique_ptr<store::CheckedWriter> terms,
         std::unique_ptr<store::CheckedWriter> postings)
      : terms_file_(std::move(terms)),
        postings_file_(std::move(postings)),
        terms_(*terms_file_),
        postings_(*postings_file_) {}

  void StartField(std::string_view field, IndexOptions options,
                  std::span<const uint8_t> norms) override {
    postings_.StartField(options, norms);
    terms_.StartField(field, options);
  }
  void KeepFilter(uint64_t terms) override { terms_.KeepFilter(terms); }
  void StartTerm(std::string_view term) override {
    term_.assign(term);
    postings_.StartTerm();
  }
  void AddPosting(DocId doc, uint32_t freq, std::span<const uint32_t> positions) override {
    postings_.Add(doc, freq, positions);
  }
  void FinishTerm() override {
    const TermEntry entry = postings_.FinishTerm();
    if (entry.doc_freq > 0) terms_.Add(term_, entry);
  }
  void FinishField(uint32_t doc_count) override { terms_.FinishField(doc_count); }

  absl::Status Finish() override {
    terms_.Finish();
    postings_.Finish();
    CURLEW_RETURN_IF_ERROR(terms_file_->Finish());
    CURLEW_RETURN_IF_ERROR(postings_file_->Finish());
    CURLEW_RETURN_IF_ERROR(terms_.status());
    return postings_.status();
  }

 private:
  const std::unique_ptr<store::CheckedWriter> terms_file_;
  const std::unique_ptr<store::CheckedWriter> postings_file_;
  TermsWriter terms_;
  PostingsWriter postings_;
  std::string term_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<InvertedWriter>> InvertedWriter::Create(store::Directory& directory,
                                                                       const std::string& segment) {
  CURLEW_ASSIGN_OR_RETURN(
      auto terms,
      store::CheckedWriter::Create(directory, TermsFileName(segment), kTermsFormat, segment));
  CURLEW_ASSIGN_OR_RETURN(
      auto postings,
      store::CheckedWriter::Create(directory, PostingsFileName(segment), kPostingsFormat, segment));
  return std::make_unique<Writer>(std::move(terms), std::move(postings));
}

}  // namespace curlew::codec
