#include "engine/codec/terms/inverted_checker.h"

#include <algorithm>

#include "engine/codec/postings/postings_checker.h"
#include "engine/codec/terms/inverted_reader.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

void CheckField(const std::string& name, const FieldTerms& field, DocId max_doc,
                std::vector<std::string>& problems) {
  const auto report = [&](std::string_view term, std::string_view what) {
    problems.push_back(fmt::format("terms: field [{}], term [{}]: {}", name, Clip(term), what));
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
    if (!first && term <= last) report(term, fmt::format("stands behind [{}]", Clip(last)));
    first = false;
    last = term;
    doc_freqs += entry.doc_freq;
    occurrences += entry.total_term_freq;
    TermEntry found;
    if (!field.Find(term, found) || found.postings_offset != entry.postings_offset ||
        found.single != entry.single || found.doc_freq != entry.doc_freq ||
        found.total_term_freq != entry.total_term_freq) {
      report(term, "a look-up does not find what the walk finds");
    }
    const auto postings = field.OpenPostings(entry);
    if (const std::string wrong = CheckPostings(*postings, field.options(), entry, seen);
        !wrong.empty()) {
      report(term, wrong);
    }
  }
  if (terms->corrupt()) {
    problems.push_back(
        fmt::format("terms: field [{}]: damaged behind term [{}]", name, Clip(last)));
  }
  const FieldStats& stats = field.stats();
  const auto documents = static_cast<uint32_t>(std::count(seen.begin(), seen.end(), true));
  if (stats.doc_count != documents || stats.sum_doc_freq != doc_freqs ||
      stats.sum_total_term_freq != occurrences) {
    problems.push_back(fmt::format(
        "terms: field [{}]: statistics ({}, {}, {}) differ from the terms' ({}, {}, {})", name,
        stats.doc_count, stats.sum_doc_freq, stats.sum_total_term_freq, documents, doc_freqs,
        occurrences));
  }
}

}  // namespace

std::vector<std::string> CheckInverted(store::Directory& directory, const std::string& segment,
                                       DocId max_doc) {
  const auto reader = InvertedReader::Open(directory, segment, max_doc);
  if (!reader.ok()) return {DescribeError(reader.status()).reason};
  std::vector<std::string> problems;
  for (const std::string& name : (*reader)->fields()) {
    CheckField(name, *(*reader)->Field(name), max_doc, problems);
  }
  return problems;
}

}  // namespace curlew::codec
