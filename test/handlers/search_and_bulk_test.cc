// Bulk and Search through their handlers, over a catalog in memory.
#include <catch2/catch.hpp>

#include <memory>
#include <string>

#include "engine/catalog/catalog.h"
#include "engine/store/memory_directory.h"
#include "engine/util/error.h"
#include "engine/util/thread_pool.h"
#include "handlers/bulk_handler.h"
#include "handlers/search_handler.h"
#include "protos/opensearch/bulk_request.pb.h"
#include "protos/opensearch/bulk_response.pb.h"
#include "protos/opensearch/search_request.pb.h"
#include "protos/opensearch/search_response.pb.h"
#include "test/handlers/fake_call.h"

namespace curlew {
namespace {

using namespace org::opensearch::protobufs;  // NOLINT: requests and responses
using test::FakeCall;

class World {
 public:
  World() {
    auto opened = catalog::Catalog::Open(store::NewMemoryDirectory(), {}, &pool_);
    REQUIRE(opened.ok());
    catalog_ = *std::move(opened);
  }
  ~World() { CHECK(catalog_->Close().ok()); }

  catalog::Catalog& catalog() { return *catalog_; }

  std::shared_ptr<FakeCall> Bulk(const std::string& text) {
    auto call = FakeCall::Of<BulkRequest>(text);
    handlers::HandleBulk(*catalog_, call);
    CHECK((call->status(), call->finishes()) == 1);
    return call;
  }
  std::shared_ptr<FakeCall> Search(const std::string& text) {
    auto call = FakeCall::Of<SearchRequest>(text);
    handlers::HandleSearch(*catalog_, nullptr, call);
    CHECK((call->status(), call->finishes()) == 1);
    return call;
  }

 private:
  ThreadPool pool_{"background", 2, 1000};
  std::unique_ptr<catalog::Catalog> catalog_;
};

constexpr char kDocuments[] = R"(
  index: "films" refresh: REFRESH_TRUE
  bulk_request_body { operation_container { index { x_id: "1" } }
    object: "{\"title\":\"the red fox\",\"year\":1999}" }
  bulk_request_body { operation_container { index { x_id: "2" routing: "r" } }
    object: "{\"title\":\"a red door\",\"year\":2001}" }
  bulk_request_body { operation_container { create { x_id: "3" } }
    object: "{\"title\":\"green\",\"year\":2010}" }
)";

TEST_CASE("documents go in by bulk and come out by search") {
  World world;
  const auto written = world.Bulk(kDocuments)->response<BulkResponse>();
  REQUIRE(written.items_size() == 3);
  CHECK_FALSE(written.errors());
  CHECK(written.items(0).index().result() == "created");
  CHECK(written.items(0).index().forced_refresh());
  CHECK(written.items(2).create().result() == "created");

  const auto found = world
                         .Search(R"(
    index: "films" phase_took: true search_request_body {
      query { match { field: "title" query { string: "red" } } }
      sort { field_with_direction { sort_order_map { key: "year" value: SORT_ORDER_DESC } } }
      version: true seq_no_primary_term: true x_source { filter { includes: "year" } } })")
                         ->response<SearchResponse>();
  CHECK(found.x_shards().total() == 1);
  CHECK(found.x_shards().successful() == 1);
  CHECK(found.has_phase_took());
  CHECK(found.hits().total().total_hits().value() == 2);
  CHECK(found.hits().max_score().has_null_value());
  REQUIRE(found.hits().hits_size() == 2);
  const auto& first = found.hits().hits(0);
  CHECK(first.x_index() == "films");
  CHECK(first.x_id() == "2");
  CHECK(first.x_score().has_null_value());
  CHECK(first.x_source() == R"({"year":2001})");
  CHECK(first.x_version() == 1);
  CHECK(first.x_seq_no() == 1);
  CHECK(first.x_primary_term() == 1);
  CHECK(first.sort(0).general_number().int64_value() == 2001);
  CHECK(first.meta_fields().fields().at("_routing").list_value().value(0).string() == "r");
  CHECK_FALSE(found.hits().hits(1).has_meta_fields());

  // The index's statistics count it.
  const auto films = world.catalog().Get("films").value();
  CHECK(films->activity().query_total == 1);
  CHECK(films->activity().fetch_total == 1);
  CHECK(films->activity().query_nanos > 0);
}

TEST_CASE("a search whose answer would need too much memory is refused") {
  World world;
  world.Bulk(R"(index: "i" refresh: REFRESH_TRUE
    bulk_request_body { operation_container { index { x_id: "1" } } object: "{\"n\":1}" })");
  const auto search = test::FakeCall::Of<SearchRequest>("index: 'i'");
  search->set_charge_limit(100);
  handlers::HandleSearch(world.catalog(), nullptr, search);
  CHECK(absl::IsResourceExhausted(search->status()));
  CHECK(world.Search("index: 'i'")->charged() > 0);
}

TEST_CASE("items that fail leave the others alone, each in its place") {
  World world;
  const auto answer = world
                          .Bulk(R"(
    index: "i" refresh: REFRESH_TRUE
    bulk_request_body { operation_container { index { x_id: "" } } object: "{}" }
    bulk_request_body { operation_container { index { } } object: "{\"n\":1}" }
    bulk_request_body { operation_container { index { x_id: "p" pipeline: "p" } } object: "{}" }
    bulk_request_body { operation_container { index { x_id: "4" } } object: "{\"n\":2}" }
    bulk_request_body { operation_container { delete { x_id: "nope" } } })")
                          ->response<BulkResponse>();
  CHECK(answer.errors());
  REQUIRE(answer.items_size() == 5);
  CHECK(answer.items(0).index().status() == 3);
  CHECK_FALSE(answer.items(0).index().has_x_id());
  CHECK(answer.items(1).index().result() == "created");
  CHECK(answer.items(1).index().x_id().size() == 20);
  CHECK(answer.items(2).index().status() == 3);
  CHECK(answer.items(2).index().x_id() == "p");
  CHECK(answer.items(3).index().x_id() == "4");
  CHECK(answer.items(3).index().result() == "created");
  CHECK(answer.items(4).delete_().status() == 5);
  const auto found = world.Search("index: 'i'")->response<SearchResponse>();
  CHECK(found.hits().hits_size() == 2);

  const auto none = world
                        .Bulk(R"(
    index: "untouched" bulk_request_body { operation_container { index { x_id: "" } } })")
                        ->response<BulkResponse>();
  CHECK(none.errors());
  CHECK(world.catalog().Get("untouched").status().code() == absl::StatusCode::kNotFound);
}

TEST_CASE("a bulk request that waits for a refresh is answered when the documents are visible") {
  World world;
  world
      .Bulk(R"(
    index: "i" refresh: REFRESH_WAIT_FOR
    bulk_request_body { operation_container { index { x_id: "1" } } object: "{}" })")
      ->response<BulkResponse>();
  const auto found = world.Search("index: 'i'")->response<SearchResponse>();
  CHECK(found.hits().total().total_hits().value() == 1);
}

TEST_CASE("errors of a call") {
  World world;
  world.Bulk(kDocuments);
  CHECK(world.Search("index: 'nope'")->status().code() == absl::StatusCode::kNotFound);
  CHECK(world.Search("search_request_body { size: -1 }")->status().code() ==
        absl::StatusCode::kInvalidArgument);
  CHECK(
      world.Search("index: 'films' search_request_body { from: 9990 size: 20 }")->status().code() ==
      absl::StatusCode::kInvalidArgument);
  CHECK(world.Search("search_request_body { rescore { } }")->status().code() ==
        absl::StatusCode::kUnimplemented);
  CHECK(world.Bulk("")->status().code() == absl::StatusCode::kInvalidArgument);
}

TEST_CASE("a search of no shards") {
  World world;
  world.Bulk(kDocuments);
  for (const char* nowhere :
       {"index: 'nope' ignore_unavailable: true", "index: 'x*'",
        "index: 'films' preference: '_shards:9'", "index: 'films' routing: ''"}) {
    CAPTURE(nowhere);
    const auto found = world.Search(nowhere)->response<SearchResponse>();
    CHECK(found.x_shards().total() == 0);
    CHECK(found.hits().hits().empty());
    CHECK(found.hits().max_score().has_float_());
  }
}

TEST_CASE("routing sends a search to its shard alone") {
  World world;
  REQUIRE(world.catalog()
              .Create("parts", R"({"settings":{"number_of_shards":4,"number_of_replicas":0}})")
              .ok());
  world.Bulk(R"(
    index: "parts" refresh: REFRESH_TRUE routing: "k"
    bulk_request_body { operation_container { index { x_id: "1" } } object: "{}" }
    bulk_request_body { operation_container { index { x_id: "2" } } object: "{}" })");
  const auto all = world.Search("index: 'parts'")->response<SearchResponse>();
  CHECK(all.x_shards().total() == 4);
  CHECK(all.hits().hits_size() == 2);
  const auto routed = world.Search("index: 'parts' routing: 'k'")->response<SearchResponse>();
  CHECK(routed.x_shards().total() == 1);
  CHECK(routed.hits().hits_size() == 2);
  const auto two =
      world.Search("index: 'parts' preference: '_shards:1,3'")->response<SearchResponse>();
  CHECK(two.x_shards().total() == 2);
}

TEST_CASE(
    "a bulk request whose operations would take too much memory is refused before any is done") {
  World world;
  std::string text = "index: 'i'";
  for (int i = 0; i < 1000; ++i) text += " bulk_request_body { operation_container { index { } } }";
  auto call = FakeCall::Of<BulkRequest>(text);
  call->set_charge_limit(1 << 20);
  handlers::HandleBulk(world.catalog(), call);
  CHECK(call->status().code() == absl::StatusCode::kResourceExhausted);
  CHECK(DescribeError(call->status()).type == "circuit_breaking_exception");
  CHECK(DescribeError(call->status()).reason.find("[1000] operations") != std::string::npos);
  CHECK_FALSE(world.catalog().Get("i").ok());
  CHECK(call->charged() == 0);

  // The documents that updates answer with are not in the request: they count when they are there.
  world.Bulk(
      "index: 'i' bulk_request_body { operation_container { index { x_id: '1' } } object: '" +
      ("{\\\"x\\\":\\\"" + std::string(100'000, 'x')) + "\\\"}' }");
  auto update = FakeCall::Of<BulkRequest>(R"(
    index: "i" x_source { fetch: true }
    bulk_request_body { operation_container { update { x_id: "1" } }
                        update_action { doc: "{\"n\":1}" } })");
  update->set_charge_limit(100'000);
  handlers::HandleBulk(world.catalog(), update);
  CHECK(update->status().code() == absl::StatusCode::kResourceExhausted);
  CHECK(DescribeError(update->status()).reason.find("operations are done") != std::string::npos);
}

TEST_CASE("a cancelled call does no work") {
  World world;
  auto call = FakeCall::Of<BulkRequest>(kDocuments);
  call->token().Cancel();
  handlers::HandleBulk(world.catalog(), call);
  CHECK(call->status().code() == absl::StatusCode::kCancelled);
  CHECK_FALSE(world.catalog().Get("films").ok());

  world.Bulk(kDocuments);
  auto search = FakeCall::Of<SearchRequest>("index: 'films'");
  search->token().Cancel();
  handlers::HandleSearch(world.catalog(), nullptr, search);
  CHECK(search->status().code() == absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace curlew
