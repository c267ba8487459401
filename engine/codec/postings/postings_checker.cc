#include "engine/codec/postings/postings_checker.h"

#include <algorithm>

#include "fmt/format.h"

namespace curlew::codec {

std::string CheckPostings(Postings& postings, IndexOptions options, const TermEntry& entry,
                          std::vector<bool>& seen) {
  uint64_t documents = 0;
  uint64_t occurrences = 0;
  int64_t last = -1;
  for (DocId doc = postings.Next(); doc != kNoMoreDocs; doc = postings.Next()) {
    if (static_cast<int64_t>(doc) <= last || doc >= seen.size()) {
      return fmt::format("document {} after {} of {}", doc, last, seen.size());
    }
    last = doc;
    seen[doc] = true;
    ++documents;
    const uint32_t freq = postings.freq();
    occurrences += freq;
    if (freq == 0) return fmt::format("document {} has frequency 0", doc);
    if (options >= IndexOptions::kPositions) {
      const auto positions = postings.positions();
      if (positions.size() != freq || !std::is_sorted(positions.begin(), positions.end())) {
        return fmt::format("document {} has {} positions for frequency {}, or unsorted", doc,
                           positions.size(), freq);
      }
    }
  }
  if (postings.corrupt()) return fmt::format("the list is damaged behind document {}", last);
  if (documents != entry.doc_freq || occurrences != entry.total_term_freq) {
    return fmt::format("{} documents and {} occurrences, the dictionary says {} and {}", documents,
                       occurrences, entry.doc_freq, entry.total_term_freq);
  }
  return {};
}

}  // namespace curlew::codec
