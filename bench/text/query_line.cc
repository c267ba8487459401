#include "bench/text/query_line.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/search/query/bool_query.h"
#include "engine/search/query/match_query.h"

namespace curlew::bench {

using search::QueryPtr;

QueryPtr ParseQueryLine(std::string_view line, std::string_view field) {
  search::BoolQueryOptions all;
  size_t clauses = 0;
  QueryPtr only;
  for (size_t at = 0; at < line.size();) {
    if (line[at] == ' ') {
      ++at;
      continue;
    }
    char sign = ' ';
    if (line[at] == '+' || line[at] == '-') sign = line[at++];
    const bool phrase = at < line.size() && line[at] == '"';
    if (phrase) ++at;
    const size_t end = std::min(line.find(phrase ? '"' : ' ', at), line.size());
    const std::string text(line.substr(at, end - at));
    at = end + 1;
    QueryPtr clause;
    if (phrase) {
      search::MatchPhraseQueryOptions options;
      options.field = field;
      options.query = text;
      clause = NewMatchPhraseQuery(std::move(options));
    } else {
      search::MatchQueryOptions options;
      options.field = field;
      options.query = text;
      clause = NewMatchQuery(std::move(options));
    }
    ++clauses;
    only = sign == '-' ? nullptr : clause;
    auto& list = sign == '+' ? all.must : sign == '-' ? all.must_not : all.should;
    list.push_back(std::move(clause));
  }
  if (clauses == 1 && only != nullptr) return only;
  return NewBoolQuery(std::move(all));
}

}  // namespace curlew::bench
