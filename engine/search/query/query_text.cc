#include "engine/search/query/query_text.h"

#include <fmt/format.h>

#include "engine/analysis/analyzer.h"
#include "engine/analysis/registry.h"
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
  std::vector<QueryPosition> positions;
  for (analysis::PositionedTerm& term :
       analysis::AnalyzeToTerms(*analyzer, mapping::QueryValueToString(value))) {
    if (positions.empty() || positions.back().position != term.position) {
      positions.push_back({term.position, {}});
    }
    positions.back().terms.push_back(std::move(term.term));
  }
  return positions;
}

}  // namespace curlew::search
