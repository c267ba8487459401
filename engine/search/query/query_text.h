// Query text on its way to terms, for the queries that analyse it. For any thread: each call makes
// its own token stream.
#ifndef CURLEW_ENGINE_SEARCH_QUERY_QUERY_TEXT_H_
#define CURLEW_ENGINE_SEARCH_QUERY_QUERY_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/mapping/field.h"
#include "engine/mapping/query_value.h"
#include "engine/search/query/query.h"

namespace curlew::search {

// The terms at one position: usually one, more where the analyzer gives synonyms.
struct QueryPosition {
  uint32_t position = 0;
  std::vector<std::string> terms;
};

// Positions ascend. More than context.max_clause_count terms are an error, found without analysing
// the rest of the text. Uses `analyzer_name`, or the field's search analyzer when that is empty;
// `query_name` is for the error when there is no analyzer of that name.
absl::StatusOr<std::vector<QueryPosition>> AnalyzeQueryText(const ShardContext& context,
                                                            std::string_view query_name,
                                                            const mapping::MappedField& field,
                                                            std::string_view analyzer_name,
                                                            const mapping::QueryValue& value);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_QUERY_QUERY_TEXT_H_
