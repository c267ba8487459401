#include "engine/codec/postings/postings_checker.h"

#include <algorithm>

#include "engine/codec/postings/impact.h"
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

std::string CheckBlocks(const PostingBlocks& blocks, Postings& postings,
                        std::span<const uint8_t> norms) {
  if (blocks.corrupt()) return "its blocks cannot be found";
  std::vector<DocId> docs(kBlockRoom);
  std::vector<uint32_t> freqs(kBlockRoom);
  std::vector<ImpactFront> fronts(blocks.count());
  for (uint32_t b = 0; b < blocks.count(); ++b) {
    PostingBlock block;
    if (!blocks.Locate(b, block) || !blocks.Docs(b, block, docs.data())) {
      return fmt::format("block {} is damaged", b);
    }
    block.Freqs(freqs.data());
    for (uint32_t i = 0; i < block.size(); ++i) {
      const DocId doc = postings.Next();
      if (doc != docs[i] || postings.freq() != freqs[i]) {
        return fmt::format("block {} has document {} where the list has {}, or another frequency",
                           b, docs[i], doc);
      }
      if (!norms.empty() && doc >= norms.size()) return fmt::format("document {} is none", doc);
      fronts[b].Add({freqs[i], norms.empty() ? kNoNorm : norms[doc]});
    }
    if (blocks.Find(docs[0], 0) != b || blocks.Find(docs[block.size() - 1], 0) != b) {
      return fmt::format("block {} is not found by its documents", b);
    }
  }
  if (postings.Next() != kNoMoreDocs) return "the list has documents behind its blocks";
  // A list of one block has no fronts, nor has a field that cannot be scored.
  if (blocks.count() < 2 || (norms.empty() && blocks.options() < IndexOptions::kFreqs)) return {};
  uint32_t wrong = 0;
  const bool whole = blocks.ForEachFront([&](uint32_t b, std::span<const Impact> front) {
    const auto best = fronts[b].impacts();
    wrong += !std::equal(front.begin(), front.end(), best.begin(), best.end());
  });
  if (!whole) return "the best of its blocks are not readable";
  if (wrong != 0) return fmt::format("{} blocks have other documents for their best", wrong);
  return {};
}

}  // namespace curlew::codec
