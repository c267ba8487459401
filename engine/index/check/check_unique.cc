// Ids and sequence numbers over all segments of a shard.
#include <algorithm>
#include <queue>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/index/check/check_documents.h"
#include "engine/mapping/field.h"
#include "engine/util/error.h"

namespace curlew::index {

namespace {

using codec::DocId;

// A segment's ids in order: those of all segments are walked side by side, which takes no memory.
struct Walk {
  const OpenedSegment* segment;
  const codec::FieldTerms* ids;
  std::unique_ptr<codec::TermIterator> terms;
};

uint64_t CountLive(const Walk& walk) {
  const auto postings = walk.ids->OpenPostings(walk.terms->entry());
  uint64_t live = 0;
  const DocId max_doc = walk.segment->reader->max_doc();
  for (DocId doc = postings->Next(); doc < max_doc; doc = postings->Next()) {
    live += walk.segment->Live(doc) ? 1 : 0;
  }
  return live;
}

void CheckIds(std::span<const OpenedSegment> segments, store::FileProblems& problems) {
  std::vector<Walk> walks;
  for (const OpenedSegment& segment : segments) {
    const codec::FieldTerms* ids = segment.reader->Terms(mapping::kIdField);
    if (ids == nullptr) continue;
    walks.push_back({&segment, ids, ids->Iterate()});
    if (!walks.back().terms->Next()) walks.pop_back();
  }
  const auto later = [](const Walk* a, const Walk* b) {
    return a->terms->term() > b->terms->term();
  };
  std::priority_queue<Walk*, std::vector<Walk*>, decltype(later)> next(later);
  for (Walk& walk : walks) next.push(&walk);
  while (!next.empty()) {
    const std::string id(next.top()->terms->term());
    uint64_t live = 0;
    std::string where;
    while (!next.empty() && next.top()->terms->term() == id) {
      Walk* const walk = next.top();
      next.pop();
      if (const uint64_t here = CountLive(*walk); here > 0) {
        live += here;
        where += (where.empty() ? "" : ", ") + walk->segment->reader->info().name;
      }
      if (walk->terms->Next()) next.push(walk);
    }
    if (live > 1) {
      problems.Add(
          fmt::format("{} live documents have the id [{}] (segments {})", live, Clip(id), where));
    }
  }
}

void CheckSeqNos(std::span<const OpenedSegment> segments, store::FileProblems& problems) {
  std::vector<int64_t> numbers;
  codec::ColumnScratch scratch;
  for (const OpenedSegment& segment : segments) {
    const codec::NumericColumn* column = segment.reader->Numeric(mapping::kSeqNoField);
    if (column == nullptr) continue;
    for (DocId doc = 0; doc < segment.reader->max_doc(); ++doc) {
      if (!segment.Live(doc)) continue;
      const auto values = column->Values(doc, scratch);
      numbers.insert(numbers.end(), values.begin(), values.end());
    }
  }
  std::sort(numbers.begin(), numbers.end());
  for (auto at = numbers.begin(); (at = std::adjacent_find(at, numbers.end())) != numbers.end();) {
    const int64_t number = *at;
    const auto end = std::upper_bound(at, numbers.end(), number);
    problems.Add(fmt::format("{} live documents have the sequence number {}", end - at, number));
    at = end;
  }
}

}  // namespace

std::vector<store::FileProblem> CheckUnique(std::span<const OpenedSegment> segments,
                                            const std::string& file) {
  store::FileProblems problems(file);
  CheckIds(segments, problems);
  CheckSeqNos(segments, problems);
  return std::move(problems).Take();
}

}  // namespace curlew::index
