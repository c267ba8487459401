// Times ranges, sorts and counts of values over one field of numbers and one of keywords:
//   curlew_columns_bench DATA.tsv long|double RANGES.tsv FOLDER WARMUPS PASSES OUT.json
// DATA: number TAB keyword,keyword; RANGES: low TAB high, both inclusive; FOLDER: empty, for the
// index. Writes for each command the least microseconds of all passes for each range (one figure
// for the commands over all documents, which get 30 times the warm-ups and 10 times the passes).
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bench/columns/numbers_index.h"
#include "engine/search/query/match_all_query.h"
#include "engine/search/query/range_query.h"
#include "engine/search/shard_search.h"

namespace curlew::bench {
namespace {

using search::DocId;
using search::QueryPtr;

// Counts the documents of each ordinal.
class OrdinalCounts : public search::LeafCollector {
 public:
  explicit OrdinalCounts(const codec::OrdinalColumn& column)
      : column_(column), counts_(column.value_count()) {}

  void Collect(std::span<const DocId> docs, std::span<const float>) override {
    column_.Count(docs, scratch_, counts_.data());
  }
  void TakeAll() {
    for (uint32_t i = 0; i < counts_.size(); ++i) {
      counts_[i] = static_cast<uint32_t>(column_.DocCountOf(i));
    }
  }
  // The ten most frequent values, "value:count ".
  std::string Best() const {
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] > 0) order.push_back(i);
    }
    const auto end = order.begin() + std::min<std::ptrdiff_t>(10, std::ssize(order));
    std::partial_sort(order.begin(), end, order.end(), [this](uint32_t a, uint32_t b) {
      return counts_[a] != counts_[b] ? counts_[a] > counts_[b] : a < b;
    });
    std::string best;
    for (auto it = order.begin(); it != end; ++it) {
      best += fmt::format("{}:{} ", column_.Value(*it), counts_[*it]);
    }
    return best;
  }

 private:
  const codec::OrdinalColumn& column_;
  codec::ColumnScratch scratch_;
  std::vector<uint32_t> counts_;
};

template <typename T>
T OrDie(absl::StatusOr<T> value) {
  if (value.ok()) return *std::move(value);
  fmt::print(stderr, "{}\n", std::string(value.status().message()));
  std::exit(1);
}

class Runner {
 public:
  explicit Runner(const NumbersIndex& index) : context_(index.Context()) {
    context_.cancel = &cancel_;
  }

  int64_t Count(const QueryPtr& query) const {
    search::SearchRequest request;
    request.query = query;
    request.size = 0;
    request.track_total_hits = search::kTrackTotalHitsExactly;
    return Search(request).total.value;
  }
  // Counts hits up to 1,000, as Lucene does by itself.
  size_t SortDescending(const QueryPtr& query) const {
    search::SearchRequest request;
    request.query = query;
    request.sort.emplace_back().field = "num";
    request.sort[0].descending = true;
    request.track_total_hits = 1000;
    return Search(request).hits.size();
  }
  std::string Terms(const QueryPtr& query, bool from_dictionary) const {
    const index::SnapshotSegment& segment = context_.snapshot->segments.at(0);
    const codec::OrdinalColumn* column = segment.reader->Ordinals("kw");
    OrdinalCounts counts(*column);
    if (from_dictionary) {
      counts.TakeAll();
      return counts.Best();
    }
    const auto prepared = OrDie(query->Prepare(context_, search::ScoreMode::kNone));
    const auto supplier = OrDie(prepared->ForSegment(segment));
    if (supplier != nullptr) {
      const absl::Status status = supplier->NewBulkScorer(search::ScoreMode::kNone)
                                      ->Score(segment.live_docs.get(), cancel_, counts);
      if (!status.ok()) std::exit(1);
    }
    return counts.Best();
  }

 private:
  search::ShardResult Search(const search::SearchRequest& request) const {
    return OrDie(search::NewLocalShardSearch(context_, 10000)->Query(request, cancel_));
  }

  CancelToken cancel_;
  search::ShardContext context_;
};

std::vector<QueryPtr> ReadRanges(const std::string& path, bool fractions) {
  std::vector<QueryPtr> queries;
  std::ifstream in(path);
  std::string low;
  std::string high;
  while (in >> low >> high) {
    const auto bound = [&](const std::string& text) {
      mapping::RangeBound bound;
      if (fractions) {
        bound.value = std::stod(text);
      } else {
        bound.value = int64_t{std::stoll(text)};
      }
      bound.inclusive = true;
      return bound;
    };
    search::RangeQueryOptions options;
    options.field = "num";
    options.lower = bound(low);
    options.upper = bound(high);
    queries.push_back(search::NewRangeQuery(std::move(options)));
  }
  return queries;
}

// The least microseconds of each query.
std::vector<double> Time(const std::vector<QueryPtr>& queries, int warmups, int passes,
                         const std::function<void(size_t)>& run) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> best(queries.size(), std::numeric_limits<double>::max());
  for (int pass = 0; pass < warmups + passes; ++pass) {
    for (size_t i = 0; i < queries.size(); ++i) {
      const auto start = Clock::now();
      run(i);
      const std::chrono::duration<double, std::micro> took = Clock::now() - start;
      if (pass >= warmups) best[i] = std::min(best[i], took.count());
    }
  }
  return best;
}

int Main(const std::vector<std::string>& args) {
  if (args.size() != 7) {
    fmt::print(stderr,
               "usage: curlew_columns_bench DATA.tsv long|double RANGES.tsv FOLDER WARMUPS PASSES "
               "OUT.json\n");
    return 2;
  }
  const bool fractions = args[1] == "double";
  const int warmups = std::stoi(args[4]);
  const int passes = std::stoi(args[5]);
  const auto index = OrDie(NumbersIndex::Build(args[0], fractions, args[3]));
  const Runner runner(*index);
  const std::vector<QueryPtr> ranges = ReadRanges(args[2], fractions);
  const std::vector<QueryPtr> all = {search::NewMatchAllQuery()};

  std::vector<int64_t> counts(ranges.size());
  std::string terms;
  size_t seen = 0;  // keeps results from being left out
  std::string out =
      fmt::format("{{\"docs\":{},\"index_s\":{:.3f},\"column_bytes\":{},\"points_bytes\":{}",
                  index->docs(), index->seconds(), index->column_bytes(), index->points_bytes());
  const auto command = [&](const char* name, const std::vector<QueryPtr>& queries,
                           const std::function<void(size_t)>& run) {
    const bool few = queries.size() == 1;
    const auto best = Time(queries, few ? warmups * 30 : warmups, few ? passes * 10 : passes, run);
    out += fmt::format(",\"{}\":[{:.2f}]", name, fmt::join(best, ","));
  };
  command("RANGE_COUNT", ranges, [&](size_t i) { counts[i] = runner.Count(ranges[i]); });
  command("RANGE_SORT_DESC_10", ranges,
          [&](size_t i) { seen += runner.SortDescending(ranges[i]); });
  command("RANGE_TERMS_AGG_10", ranges,
          [&](size_t i) { seen += runner.Terms(ranges[i], false).size(); });
  command("ALL_SORT_DESC_10", all, [&](size_t) { seen += runner.SortDescending(all[0]); });
  command("ALL_TERMS_AGG_10", all, [&](size_t) { terms = runner.Terms(all[0], false); });
  command("ALL_TERMS_DICTIONARY_10", all,
          [&](size_t) { seen += runner.Terms(all[0], true) == terms ? 1 : 0; });
  out += fmt::format(",\"counts\":[{}],\"terms\":\"{}\",\"seen\":{}}}\n", fmt::join(counts, ","),
                     terms, seen);
  std::ofstream(args[6]) << out;
  return 0;
}

}  // namespace
}  // namespace curlew::bench

int main(int argc, char** argv) {
  return curlew::bench::Main(std::vector<std::string>(argv + 1, argv + argc));
}
