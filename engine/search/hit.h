// Hits: as the query phase finds them, and as the fetch phase shows them.
#ifndef CURLEW_ENGINE_SEARCH_HIT_H_
#define CURLEW_ENGINE_SEARCH_HIT_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace curlew::search {

// A sort value as the client sees it; the alternative tells the type: integer, short, byte, boolean
// and _doc are int32, long and date int64, float and _score float, double double, keyword string;
// null where a keyword is missing.
using SortValue =
    std::variant<std::monostate, int32_t, int64_t, uint64_t, float, double, std::string>;

inline constexpr float kNoScore = std::numeric_limits<float>::quiet_NaN();

// A winner of the query phase.
struct TopHit {
  uint32_t target = 0;  // which of the search's shards
  uint32_t doc = 0;     // in the shard's numbering (doc_base + document)
  float score = kNoScore;
};

// Winners with their sort values, which lie apart: most searches have none, and 30,000 hits are to
// cost their 12 bytes each.
struct TopHits {
  std::vector<TopHit> hits;
  size_t sort_keys = 0;                // 0 when sorted by score alone
  std::vector<SortValue> sort_values;  // `sort_keys` for each hit

  std::span<const SortValue> SortOf(size_t hit) const {
    return {sort_values.data() + hit * sort_keys, sort_keys};
  }
};

// A hit on its way out. Views are valid during HitVisitor::OnHits only.
struct Hit {
  std::string_view index;
  std::string_view id;
  std::string_view routing;                                 // empty = none
  double score = std::numeric_limits<double>::quiet_NaN();  // NaN = none
  std::optional<int64_t> version;
  std::optional<int64_t> seq_no;
  std::optional<int64_t> primary_term;
  std::optional<std::string_view> source;
  std::span<const SortValue> sort;
};

// Takes hits. Called by one thread, from beginning to end.
class HitVisitor {
 public:
  virtual ~HitVisitor() = default;
  // Before the first hit: how many follow.
  virtual void OnStart(uint64_t hits) = 0;
  // Some hits at a time, in the order of the result. False: it can take no more.
  virtual bool OnHits(std::span<const Hit> hits) = 0;
};

// Takes a result in parts, which may be fetched at the same time: part 0 first, then part 1, ...
class HitOutput {
 public:
  virtual ~HitOutput() = default;
  // Once, before everything else.
  virtual void Begin(size_t parts) = 0;
  virtual HitVisitor& part(size_t i) = 0;
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_HIT_H_
