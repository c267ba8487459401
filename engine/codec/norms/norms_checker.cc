#include "engine/codec/norms/norms_checker.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "engine/codec/norms/norms_file.h"
#include "engine/codec/terms/inverted_reader.h"
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

std::vector<store::FileProblem> CheckNorms(store::Directory& directory, const std::string& segment,
                                           DocId max_doc) {
  store::FileProblems problems(segment + ".norms");
  const auto norms = NormsReader::Open(directory, segment, max_doc);
  if (!norms.ok()) {
    problems.AddError(directory, norms.status());
    return std::move(problems).Take();
  }
  // What is wrong with the terms is for their own checker to say.
  const auto terms = InvertedReader::Open(directory, segment, max_doc);
  if (!terms.ok()) return {};
  for (const std::string& name : (*norms)->fields()) {
    const auto bytes = (*norms)->Field(name)->bytes();
    const FieldTerms* field = (*terms)->Field(name);
    const std::vector<uint64_t> lengths =
        field == nullptr ? std::vector<uint64_t>(max_doc) : LengthsOf(*field, max_doc);
    // Words at the place of another one do not count for the length; without frequencies there is
    // no telling.
    const bool counted = field != nullptr && field->options() >= IndexOptions::kFreqs;
    uint64_t wrong = 0;
    uint64_t longer = 0;
    for (DocId doc = 0; doc < max_doc; ++doc) {
      wrong += (bytes[doc] != 0) != (lengths[doc] != 0);
      if (!counted || lengths[doc] == 0) continue;
      constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
      longer += bytes[doc] > EncodeNorm(static_cast<uint32_t>(std::min(lengths[doc], kMost)));
    }
    if (wrong != 0) {
      problems.Add(fmt::format(
          "[{}]: {} documents have a length and no terms, or terms and no length", name, wrong));
    }
    if (longer != 0) {
      problems.Add(
          fmt::format("[{}]: {} documents are said to be longer than they are", name, longer));
    }
  }
  return std::move(problems).Take();
}

}  // namespace curlew::codec
