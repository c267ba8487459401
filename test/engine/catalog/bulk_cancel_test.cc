// A bulk request whose client goes: what is begun and what is not.
#include "test/engine/catalog/catalog_fixture.h"

namespace curlew::catalog {
namespace {

// Cancels when an index is looked for: after ExecuteBulk's first look at the token.
class CancellingCatalog final : public Catalog {
 public:
  CancellingCatalog(Catalog& catalog, CancelToken& token) : catalog_(catalog), token_(token) {}

  absl::StatusOr<std::shared_ptr<Index>> Create(const std::string& name,
                                                std::string_view body_json) override {
    return catalog_.Create(name, body_json);
  }
  absl::StatusOr<std::shared_ptr<Index>> GetOrCreate(const std::string& name) override {
    token_.Cancel();
    return catalog_.GetOrCreate(name);
  }
  absl::StatusOr<std::shared_ptr<Index>> Get(std::string_view name) const override {
    return catalog_.Get(name);
  }
  absl::Status Delete(const std::vector<std::string>& names, bool ignore_unavailable) override {
    return catalog_.Delete(names, ignore_unavailable);
  }
  absl::StatusOr<std::vector<std::shared_ptr<Index>>> Resolve(
      const std::vector<std::string>& names, const ResolveOptions& options) const override {
    return catalog_.Resolve(names, options);
  }
  std::vector<std::pair<std::string, absl::Status>> failed() const override {
    return catalog_.failed();
  }
  absl::Status Close() override { return catalog_.Close(); }

 private:
  Catalog& catalog_;
  CancelToken& token_;
};

TEST_CASE("what is cancelled before it begins makes no index and no document") {
  CatalogWorld world;
  CancelToken token;
  token.Cancel();
  std::vector<BulkItem> items = {IndexItem("a", "1", "{}"), IndexItem("b", "1", "{}")};
  std::vector<BulkItemResult> results(items.size());
  int done = 0;
  ExecuteBulk(
      *world.catalog, items, RefreshPolicy::kTrue, results, [&] { ++done; }, &token);
  CHECK(done == 1);
  for (const BulkItemResult& result : results) CHECK(absl::IsCancelled(result.result.status));
  CHECK(world.Names().empty());
}

TEST_CASE("shards that are not begun when the client goes are left alone") {
  CatalogWorld world;
  const auto index = world.Create("a");
  for (const RefreshPolicy refresh :
       {RefreshPolicy::kNone, RefreshPolicy::kTrue, RefreshPolicy::kWaitFor}) {
    CancelToken token;
    CancellingCatalog catalog(*world.catalog, token);
    std::vector<BulkItem> items = {IndexItem("a", "1", "{}"), IndexItem("a", "2", "{}")};
    std::vector<BulkItemResult> results(items.size());
    int done = 0;
    ExecuteBulk(
        catalog, items, refresh, results, [&] { ++done; }, &token);
    CHECK(done == 1);
    for (const BulkItemResult& result : results) CHECK(absl::IsCancelled(result.result.status));
    CHECK(SourceOf(*index, "1") == "");
    CHECK(index->shards()[0]->stats().translog_operations == 0);
  }
}

}  // namespace
}  // namespace curlew::catalog
