#include "engine/codec/terms/inverted_reader.h"

#include <utility>

#include "engine/codec/postings/postings_format.h"
#include "engine/codec/sections.h"
#include "engine/codec/terms/terms_format.h"
#include "engine/codec/terms/terms_reader.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"
#include "engine/util/error.h"
#include "fmt/format.h"

#include <algorithm>

namespace curlew::codec {
namespace {

class Reader final : public InvertedReader {
 public:
  absl::Status Load(store::CheckedFile terms, store::CheckedFile postings, DocId max_doc) {
    terms_ = std::move(terms);
    postings_ = std::move(postings);
    CURLEW_ASSIGN_OR_RETURN(ByteReader in, OpenContents(terms_));
    const uint64_t count = in.Varint();
    for (uint64_t i = 0; i < count && !in.failed(); ++i) {
      CURLEW_ASSIGN_OR_RETURN(FieldDictionary field,
                              ReadFieldDictionary(terms_, in, postings_.bytes(), max_doc));
      if (!names_.empty() && field.name <= names_.back()) {
        return Corruption(
            fmt::format("{}: field [{}] is out of order", terms_.name(), Clip(field.name)));
      }
      names_.push_back(field.name);
      fields_.push_back(NewFieldTerms(std::move(field)));
    }
    if (in.failed() || !in.AtEnd()) {
      return Corruption(terms_.name() + ": the table of contents is damaged");
    }
    return absl::OkStatus();
  }

  const FieldTerms* Field(std::string_view field) const override {
    const auto it = std::lower_bound(names_.begin(), names_.end(), field);
    if (it == names_.end() || *it != field) return nullptr;
    return fields_[static_cast<size_t>(it - names_.begin())].get();
  }
  const std::vector<std::string>& fields() const override { return names_; }

 private:
  store::CheckedFile terms_;
  store::CheckedFile postings_;
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<FieldTerms>> fields_;  // in the order of names_
};

}  // namespace

absl::StatusOr<std::unique_ptr<InvertedReader>> InvertedReader::Open(store::Directory& directory,
                                                                     const std::string& segment,
                                                                     DocId max_doc, bool verify) {
  CURLEW_ASSIGN_OR_RETURN(auto terms, store::CheckedFile::Open(directory, TermsFileName(segment),
                                                               kTermsFormat, segment, verify));
  CURLEW_ASSIGN_OR_RETURN(
      auto postings, store::CheckedFile::Open(directory, PostingsFileName(segment), kPostingsFormat,
                                              segment, verify));
  auto reader = std::make_unique<Reader>();
  CURLEW_RETURN_IF_ERROR(reader->Load(std::move(terms), std::move(postings), max_doc));
  return reader;
}

}  // namespace curlew::codec
