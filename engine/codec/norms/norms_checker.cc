#include "engine/codec/norms/norms_checker.h"

#include <memory>

#include "engine/codec/norms/norms_file.h"
#include "engine/codec/terms/inverted_reader.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

// Occurrences in each document: the lengths that the norms stand for.
std::vector<uint64_t> LengthsOf(const FieldTerms& field, DocId max_doc) {
  std::vector<uint64_t> lengths(max_doc);
  const auto terms = field.Iterate();
  while (terms->Next()) {
    const auto postings = field.OpenPostings(terms->entry());
    while (postings->Next() != kNoMoreDocs) lengths[postings->doc()] += postings->freq();
  }
  return lengths;
}

}  // namespace

std::vector<std::string> CheckNorms(store::Directory& directory, const std::string& segment,
                                    DocId max_doc) {
  const auto norms = NormsReader::Open(directory, segment, max_doc);
  if (!norms.ok()) return {DescribeError(norms.status()).reason};
  // What is wrong with the terms is for their own checker to say.
  const auto terms = InvertedReader::Open(directory, segment, max_doc);
  if (!terms.ok()) return {};
  std::vector<std::string> problems;
  for (const std::string& name : (*norms)->fields()) {
    const auto bytes = (*norms)->Field(name)->bytes();
    const FieldTerms* field = (*terms)->Field(name);
    const std::vector<uint64_t> lengths =
        field == nullptr ? std::vector<uint64_t>(max_doc) : LengthsOf(*field, max_doc);
    uint64_t wrong = 0;
    for (DocId doc = 0; doc < max_doc; ++doc) wrong += (bytes[doc] != 0) != (lengths[doc] != 0);
    if (wrong != 0) {
      problems.push_back(fmt::format(
          "norms: [{}]: {} documents have a length and no terms, or terms and no length", name,
          wrong));
    }
  }
  return problems;
}

}  // namespace curlew::codec
