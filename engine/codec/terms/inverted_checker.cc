#include "engine/codec/terms/inverted_checker.h"

#include <algorithm>
#include <span>
#include <utility>

#include "engine/codec/norms/norms_file.h"
#include "engine/codec/postings/postings_checker.h"
#include "engine/codec/postings/postings_format.h"
#include "engine/codec/terms/inverted_reader.h"
#include "engine/codec/terms/terms_format.h"
#include "engine/store/checked_file.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

struct Problems {
  explicit Problems(const std::string& segment)
      : terms(TermsFileName(segment)), postings(PostingsFileName(segment)) {}
  store::FileProblems terms;
  store::FileProblems postings;
};

// `norms`: of the field; null = they cannot be read.
void CheckField(const std::string& name, const FieldTerms& field,
                const std::span<const uint8_t>* norms, DocId max_doc, Problems& problems) {
  const auto said = [&](std::string_view term, std::string_view what) {
    return fmt::format("field [{}], term [{}]: {}", name, Clip(term), what);
  };
  std::vector<bool> seen(max_doc);
  uint64_t doc_freqs = 0;
  uint64_t occurrences = 0;
  std::string last;
  bool first = true;
  const auto terms = field.Iterate();
  while (terms->Next()) {
    const std::string_view term = terms->term();
    const TermEntry& entry = terms->entry();
    if (!first && term <= last) {
      problems.terms.Add(said(term, fmt::format("stands behind [{}]", Clip(last))));
    }
    first = false;
    last = term;
    doc_freqs += entry.doc_freq;
    occurrences += entry.total_term_freq;
    TermEntry found;
    if (!field.Find(term, found) || found.postings_offset != entry.postings_offset ||
        found.single != entry.single || found.doc_freq != entry.doc_freq ||
        found.total_term_freq != entry.total_term_freq) {
      problems.terms.Add(said(term, "a look-up does not find what the walk finds"));
    }
    std::string wrong = CheckPostings(*field.OpenPostings(entry), field.options(), entry, seen);
    PostingBlocks blocks;
    if (wrong.empty() && norms != nullptr && field.Blocks(entry, blocks)) {
      wrong = CheckBlocks(blocks, *field.OpenPostings(entry), *norms);
    }
    if (!wrong.empty()) problems.postings.Add(said(term, wrong));
  }
  if (terms->corrupt()) {
    problems.terms.Add(fmt::format("field [{}]: damaged behind term [{}]", name, Clip(last)));
  }
  const FieldStats& stats = field.stats();
  const auto documents = static_cast<uint32_t>(std::count(seen.begin(), seen.end(), true));
  if (stats.doc_count != documents || stats.sum_doc_freq != doc_freqs ||
      stats.sum_total_term_freq != occurrences) {
    problems.terms.Add(
        fmt::format("field [{}]: statistics ({}, {}, {}) differ from the terms' ({}, {}, {})", name,
                    stats.doc_count, stats.sum_doc_freq, stats.sum_total_term_freq, documents,
                    doc_freqs, occurrences));
  }
}

void CheckFields(store::Directory& directory, const std::string& segment, DocId max_doc,
                 Problems& problems) {
  // By itself first: which of the two files is wrong.
  const auto postings = store::CheckedFile::Open(directory, PostingsFileName(segment),
                                                 kPostingsFormat, segment, /*verify=*/true);
  if (!postings.ok()) problems.postings.AddError(directory, postings.status());
  const auto reader = InvertedReader::Open(directory, segment, max_doc);
  if (!reader.ok()) {
    if (postings.ok()) problems.terms.AddError(directory, reader.status());
    return;
  }
  // What is wrong with the norms is for their own checker to say.
  const auto norms = NormsReader::Open(directory, segment, max_doc);
  for (const std::string& name : (*reader)->fields()) {
    std::span<const uint8_t> bytes;
    if (norms.ok() && (*norms)->Field(name) != nullptr) bytes = (*norms)->Field(name)->bytes();
    CheckField(name, *(*reader)->Field(name), norms.ok() ? &bytes : nullptr, max_doc, problems);
  }
}

}  // namespace

std::vector<store::FileProblem> CheckInverted(store::Directory& directory,
                                              const std::string& segment, DocId max_doc) {
  Problems problems(segment);
  CheckFields(directory, segment, max_doc, problems);
  std::vector<store::FileProblem> all = std::move(problems.terms).Take();
  store::AppendProblems(all, std::move(problems.postings).Take());
  return all;
}

}  // namespace curlew::codec
