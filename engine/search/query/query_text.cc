#include "engine/search/query/query_text.h"

#include <fmt/format.h>

#include "engine/analysis/analyzer.h"
#include "engine/analysis/registry.h"
#include "engine/search/query/prepared_bool.h"
#include "engine/util/error.h"

namespace curlew::search {

absl::StatusOr<std::vector<QueryPosition>> AnalyzeQueryText(const ShardContext& context,
                                                            std::string_view query_name,
                                                            const mapping::MappedField& field,
                                                            std::string_view analyzer_name,
                                                            const mapping::QueryValue& value) {
  const analysis::Analyzer* analyzer = field.search_analyzer;
  if (!analyzer_name.empty()) {
    analyzer = context.analyzers == nullptr ? nullptr : context.analyzers->Find(analyzer_name);
    if (analyzer == nullptr) {
      return QueryShardError(
          fmt::format("[{}] analyzer [{}] not found", query_name, Clip(analyzer_name)));
    }
  }
  const auto limit = static_cast<size_t>(context.max_clause_count);
  std::vector<analysis::PositionedTerm> terms =
      analysis::AnalyzeToTerms(*analyzer, mapping::QueryValueToString(value), limit + 1);
  if (terms.size() > limit) return TooManyClauses(context.max_clause_count);
  std::vector<QueryPosition> positions;
  for (analysis::PositionedTerm& term : terms) {
    if (positions.empty() || positions.back().position != term.position) {
      positions.push_back({term.position, {}});
    }
    positions.back().terms.push_back(std::move(term.term));
  }
  return positions;
}

}  // namespace curlew::search
