// Prepared queries that several kinds of query come down to. They own what they are made of; of the
// context they keep the cancel token, which has to outlive them.
#ifndef CURLEW_ENGINE_SEARCH_QUERY_PREPARED_H_
#define CURLEW_ENGINE_SEARCH_QUERY_PREPARED_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "engine/mapping/field.h"
#include "engine/mapping/query_value.h"
#include "engine/search/query/query.h"
#include "engine/util/cancel.h"

namespace curlew::search {

using PreparedPtr = std::unique_ptr<PreparedQuery>;

PreparedPtr PrepareNone();
PreparedPtr PrepareAll(float score);
// The matches of `filter` (prepared without scores), each with `score`.
PreparedPtr PrepareConstant(PreparedPtr filter, float score);
// The scores of `inner` times `factor`; `inner` itself when that is 1.
PreparedPtr PrepareBoost(PreparedPtr inner, float factor);

// One term of a field with terms, scored by BM25 times `boost`.
PreparedPtr PrepareBm25Term(const ShardContext& context, const mapping::MappedField& field,
                            std::string term, float boost);
// One term, scored by a constant.
PreparedPtr PrepareConstantTerm(std::string field, std::string term, float score);

// All terms that `visit` names: it is called for each segment with the field's terms, and calls
// `take` with every entry to take; false when the dictionary is damaged. It counts every term that
// it looks at as a step of `check`, and returns when that says stop. Scores a constant.
using TermVisitor = std::function<bool(const codec::FieldTerms&, PeriodicCheck& check,
                                       const std::function<void(const codec::TermEntry&)>& take)>;
PreparedPtr PrepareTermUnion(const ShardContext& context, std::string field, TermVisitor visit,
                             float score);

// Documents with a number inside one of `ranges`. Scores a constant.
PreparedPtr PrepareNumberRanges(const ShardContext& context, std::string field,
                                std::vector<mapping::NumberRange> ranges, float score);

// Documents with an ordinal in [first, last) of the segment's, as `bounds` says; it counts the
// values that it looks at as steps of `check`, and returns when that says stop. Scores a constant.
struct OrdinalRange {
  uint32_t first = 0;
  uint32_t last = 0;
};
using OrdinalBounds =
    std::function<std::vector<OrdinalRange>(const codec::OrdinalColumn&, PeriodicCheck& check)>;
PreparedPtr PrepareOrdinalRanges(const ShardContext& context, std::string field,
                                 OrdinalBounds bounds, float score);

// An error when `field` can be searched neither by terms nor by a column.
absl::Status CheckSearchable(const mapping::MappedField& field);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_QUERY_PREPARED_H_
