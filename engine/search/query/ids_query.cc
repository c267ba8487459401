#include "engine/search/query/ids_query.h"

#include <algorithm>

#include "engine/mapping/field.h"
#include "engine/search/query/prepared.h"

namespace curlew::search {
namespace {

using Ids = std::vector<std::string>;

Ids SortedDistinct(Ids ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

class IdsQuery : public Query {
 public:
  IdsQuery(Ids ids, float boost)
      : ids_(std::make_shared<const Ids>(SortedDistinct(std::move(ids)))), boost_(boost) {}
  absl::StatusOr<PreparedPtr> Prepare(const ShardContext& context, ScoreMode) const override {
    if (ids_->empty()) return PrepareNone();
    return PrepareTermUnion(
        context, std::string(mapping::kIdField),
        [ids = ids_](const codec::FieldTerms& terms, PeriodicCheck& check, const auto& take) {
          codec::TermEntry entry;
          for (const std::string& id : *ids) {
            if (check.Stop()) break;
            if (terms.Find(id, entry)) take(entry);
          }
          return true;
        },
        boost_);
  }

 private:
  const std::shared_ptr<const Ids> ids_;
  const float boost_;
};

}  // namespace

QueryPtr NewIdsQuery(std::vector<std::string> ids, float boost) {
  return std::make_shared<IdsQuery>(std::move(ids), boost);
}

}  // namespace curlew::search
