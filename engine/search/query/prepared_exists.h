// Documents that have a value in one of some fields.
#ifndef CURLEW_ENGINE_SEARCH_QUERY_PREPARED_EXISTS_H_
#define CURLEW_ENGINE_SEARCH_QUERY_PREPARED_EXISTS_H_

#include <string>
#include <vector>

#include "engine/mapping/field.h"
#include "engine/search/query/prepared.h"

namespace curlew::search {

// A field as far as its presence goes: told by its column, else by its norms, else by its terms.
struct PresentField {
  std::string path;
  bool norms = false;
};

PreparedPtr PrepareExists(const ShardContext& context,
                          const std::vector<const mapping::MappedField*>& fields, float score);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_QUERY_PREPARED_EXISTS_H_
