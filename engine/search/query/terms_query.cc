#include "engine/search/query/terms_query.h"

#include <fmt/format.h>

#include "engine/search/query/exact.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

class TermsQuery : public Query {
 public:
  explicit TermsQuery(TermsQueryOptions options) : options_(std::move(options)) {}

  absl::StatusOr<PreparedPtr> Prepare(const ShardContext& context, ScoreMode) const override {
    if (options_.values.size() > static_cast<size_t>(context.max_terms_count)) {
      return IllegalArgument(fmt::format(
          "A terms query on [{}] has {} terms; at most {} are allowed. The limit is the "
          "index setting [index.max_terms_count].",
          Clip(options_.field), options_.values.size(), context.max_terms_count));
    }
    const mapping::MappedField* field = context.mapping->Find(options_.field);
    if (field == nullptr || options_.values.empty()) return PrepareNone();
    return PrepareAnyOf(context, *field, options_.values, options_.boost);
  }

 private:
  const TermsQueryOptions options_;
};

}  // namespace

QueryPtr NewTermsQuery(TermsQueryOptions options) {
  return std::make_shared<TermsQuery>(std::move(options));
}

}  // namespace curlew::search
