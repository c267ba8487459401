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
  std::vector<SortValue> sort;  // empty when sorted by score alone
};

// A hit on its way out. Views are valid during HitVisitor::OnHit only.
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

class HitVisitor {
 public:
  virtual ~HitVisitor() = default;
  // Before the first hit: how many follow, and the bytes of their ids and sources together (exact
  // when sources go out whole, an upper bound otherwise).
  virtual void OnStart(uint64_t hits, uint64_t bytes) = 0;
  // In the order of the result.
  virtual void OnHit(const Hit& hit) = 0;
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_HIT_H_
