// The rpcs of curlew.admin.v1.IndexService on a catalog in memory.
#include "handlers/index_admin_handler.h"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cerrno>
#include <mutex>

#include <fmt/format.h>

#include "engine/catalog/bulk.h"
#include "engine/catalog/index_metadata.h"
#include "engine/store/fault_directory.h"
#include "engine/store/memory_directory.h"
#include "engine/store/shortage.h"
#include "engine/util/error.h"
#include "protos/curlew/admin/v1/common.pb.h"
#include "protos/curlew/admin/v1/index_service.pb.h"
#include "test/handlers/fake_call.h"

namespace curlew::handlers {
namespace {

namespace pb = curlew::admin::v1;

using Handler = void (*)(catalog::Catalog&, const CallPtr&);

struct World {
  World() { Reopen(); }

  void Reopen() {
    if (catalog != nullptr) REQUIRE(catalog->Close().ok());
    catalog.reset();
    catalog = catalog::Catalog::Open(data, options, &pool).value();
  }

  template <typename Request>
  std::shared_ptr<test::FakeCall> Run(Handler handler, const Request& request) {
    auto call = test::FakeCall::Of<Request>(request.DebugString());
    handler(*catalog, call);
    REQUIRE(call->finishes() == 1);
    return call;
  }

  // The answer of a call that must succeed.
  template <typename Response, typename Request>
  Response Ok(Handler handler, const Request& request) {
    const auto call = Run(handler, request);
    INFO(call->status());
    REQUIRE(call->status().ok());
    return call->template response<Response>();
  }

  template <typename Request>
  ErrorDetails Error(Handler handler, const Request& request) {
    const auto call = Run(handler, request);
    REQUIRE(!call->status().ok());
    return DescribeError(call->status());
  }

  void Create(const std::string& name, const std::string& body = "") {
    pb::CreateIndexRequest request;
    request.set_index(name);
    request.set_body_json(body);
    Ok<pb::CreateIndexResponse>(HandleCreateIndex, request);
  }

  void Write(const std::string& index, const std::vector<std::string>& ids) {
    std::vector<catalog::BulkItem> items(ids.size());
    for (size_t i = 0; i < ids.size(); ++i) {
      items[i].index = index;
      items[i].operation.id = ids[i];
      items[i].operation.source = R"({"n":1})";
    }
    std::vector<catalog::BulkItemResult> results(ids.size());
    catalog::ExecuteBulk(*catalog, items, catalog::RefreshPolicy::kNone, results, [] {});
    for (const auto& result : results) REQUIRE(result.result.status.ok());
  }

  std::shared_ptr<store::Directory> data = store::NewMemoryDirectory();
  catalog::CatalogOptions options;
  ThreadPool pool{"background", 1, 1000};
  std::unique_ptr<catalog::Catalog> catalog;
};

constexpr char kTwoShards[] =
    R"({"settings": {"number_of_shards": 2, "number_of_replicas": 1, "refresh_interval": "-1"}})";
constexpr char kQuiet[] = R"({"settings": {"number_of_replicas": 0, "refresh_interval": "-1"}})";

pb::IndicesRequest Indices(const std::vector<std::string>& names) {
  pb::IndicesRequest request;
  request.mutable_index()->Assign(names.begin(), names.end());
  return request;
}

// The member at a path of a Struct.
const google::protobuf::Value& At(const google::protobuf::Struct& root,
                                  const std::vector<std::string>& path) {
  const google::protobuf::Struct* at = &root;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    REQUIRE(at->fields().contains(path[i]));
    at = &at->fields().at(path[i]).struct_value();
  }
  REQUIRE(at->fields().contains(path.back()));
  return at->fields().at(path.back());
}

TEST_CASE("CreateIndex takes its body as Struct or as text") {
  World world;
  pb::CreateIndexRequest request;
  request.set_index("text");
  request.set_body_json(R"({"mappings": {"properties": {"t": {"type": "text"}}}})");
  auto response = world.Ok<pb::CreateIndexResponse>(HandleCreateIndex, request);
  CHECK(response.acknowledged());
  CHECK(response.shards_acknowledged());
  CHECK(response.index() == "text");

  // Numbers of a Struct are doubles and mean integers all the same.
  request.Clear();
  request.set_index("struct");
  REQUIRE(google::protobuf::util::JsonStringToMessage(
              R"({"settings": {"number_of_shards": 3, "index": {"max_result_window": "20"}},
                  "mappings": {"properties": {"k": {"type": "keyword", "ignore_above": 7}}}})",
              request.mutable_body())
              .ok());
  world.Ok<pb::CreateIndexResponse>(HandleCreateIndex, request);
  const auto index = world.catalog->Get("struct").value();
  CHECK(index->shards().size() == 3);
  CHECK(index->settings().max_result_window == 20);
  CHECK(index->mapper().current()->Find("k") != nullptr);

  request.Clear();
  request.set_index("bare");
  world.Ok<pb::CreateIndexResponse>(HandleCreateIndex, request);
}

TEST_CASE("CreateIndex refuses what is wrong by name") {
  World world;
  world.Create("taken");
  const auto refused = [&](const std::string& name, const std::string& body) {
    pb::CreateIndexRequest request;
    request.set_index(name);
    request.set_body_json(body);
    return world.Error(HandleCreateIndex, request);
  };
  CHECK(refused("taken", "").type == "resource_already_exists_exception");
  CHECK(refused("Upper", "").type == "invalid_index_name_exception");
  CHECK(refused("", "").type == "invalid_index_name_exception");
  CHECK(refused("x", "{").type == "parse_exception");
  CHECK(refused("x", R"({"settings": {"nosuch": 1}})").reason.find("[index.nosuch]") !=
        std::string::npos);
  CHECK(refused("x", R"({"settings": {"codec": "zlib"}})").rest_status == 501);
  CHECK(refused("x", R"({"mappings": {"properties": {"a": {"type": "nosuch"}}}})").type ==
        "mapper_parsing_exception");
  pb::CreateIndexRequest both;
  both.set_index("x");
  both.set_body_json("{}");
  both.mutable_body();
  CHECK(world.Error(HandleCreateIndex, both).rest_status == 400);
  CHECK(world.catalog->Resolve({}, {}).value().size() == 1);
}

TEST_CASE("GetIndex shows settings and mappings as REST does") {
  World world;
  world.Create("a", kTwoShards);
  world.Create("b", R"({"mappings": {"properties": {"t": {"type": "text"}}}})");
  pb::GetIndexRequest request;
  auto response = world.Ok<pb::GetIndexResponse>(HandleGetIndex, request);
  REQUIRE(response.indices().size() == 2);
  const auto& a = response.indices().at("a");
  CHECK(At(a, {"settings", "index", "number_of_shards"}).string_value() == "2");
  CHECK(At(a, {"settings", "index", "uuid"}).string_value() ==
        world.catalog->Get("a").value()->uuid());
  CHECK(At(a, {"aliases"}).struct_value().fields().empty());
  CHECK(At(response.indices().at("b"), {"mappings", "properties", "t", "type"}).string_value() ==
        "text");
  request.add_index("b*");
  CHECK(world.Ok<pb::GetIndexResponse>(HandleGetIndex, request).indices().size() == 1);
  request.add_index("nosuch");
  CHECK(world.Error(HandleGetIndex, request).type == "index_not_found_exception");
}

TEST_CASE("DeleteIndex deletes by name only") {
  World world;
  for (const char* name : {"a", "ab", "b"}) world.Create(name, kQuiet);
  pb::DeleteIndexRequest request;
  CHECK(world.Error(HandleDeleteIndex, request).type == "action_request_validation_exception");
  request.add_index("a*");
  CHECK(world.Error(HandleDeleteIndex, request).type == "illegal_argument_exception");
  request.set_index(0, "a");
  request.add_index("nosuch");
  CHECK(world.Error(HandleDeleteIndex, request).type == "index_not_found_exception");
  CHECK(world.catalog->Get("a").ok());
  request.set_ignore_unavailable(true);
  CHECK(world.Ok<pb::AcknowledgedResponse>(HandleDeleteIndex, request).acknowledged());
  CHECK(!world.catalog->Get("a").ok());
  CHECK(world.catalog->Resolve({}, {}).value().size() == 2);
}

TEST_CASE("ListIndices counts documents and shows health") {
  World world;
  world.Create("quiet", kQuiet);
  world.Create("replicated", kTwoShards);
  world.Write("replicated", {"1", "2", "3"});
  world.Ok<pb::BroadcastResponse>(HandleRefresh, Indices({}));
  pb::ListIndicesRequest request;
  const auto response = world.Ok<pb::ListIndicesResponse>(HandleListIndices, request);
  REQUIRE(response.indices_size() == 2);
  const pb::IndexSummary& quiet = response.indices(0);
  CHECK(quiet.index() == "quiet");
  CHECK(quiet.health() == "green");
  CHECK(quiet.status() == "open");
  CHECK(quiet.primaries() == 1);
  CHECK(quiet.replicas() == 0);
  CHECK(quiet.docs_count() == 0);
  const pb::IndexSummary& replicated = response.indices(1);
  CHECK(replicated.health() == "yellow");
  CHECK(replicated.primaries() == 2);
  CHECK(replicated.replicas() == 1);
  CHECK(replicated.docs_count() == 3);
  CHECK(replicated.store_bytes() > 0);
  CHECK(replicated.uuid() == world.catalog->Get("replicated").value()->uuid());
  request.add_index("q*");
  CHECK(world.Ok<pb::ListIndicesResponse>(HandleListIndices, request).indices_size() == 1);
  request.set_index(0, "nosuch");
  CHECK(world.Error(HandleListIndices, request).rest_status == 404);
}

TEST_CASE("ListIndices shows an index that could not be opened, in red") {
  World world;
  world.Create("alive", kQuiet);
  world.Create("broken", kQuiet);
  const std::string uuid = world.catalog->Get("broken").value()->uuid();
  REQUIRE(world.catalog->Close().ok());
  const auto folder = world.data->Sub("indices").value()->Sub(uuid).value();
  REQUIRE(store::WriteAtomically(*folder, catalog::IndexMetadata::kFileName, "nonsense").ok());
  world.Reopen();
  const auto response =
      world.Ok<pb::ListIndicesResponse>(HandleListIndices, pb::ListIndicesRequest());
  REQUIRE(response.indices_size() == 2);
  CHECK(response.indices(0).index() == "alive");
  CHECK(response.indices(1).index() == uuid);
  CHECK(response.indices(1).health() == "red");
  CHECK(response.indices(1).status().find("failed: ") == 0);
  pb::DeleteIndexRequest deletion;
  deletion.add_index(uuid);
  world.Ok<pb::AcknowledgedResponse>(HandleDeleteIndex, deletion);
  CHECK(world.Ok<pb::ListIndicesResponse>(HandleListIndices, pb::ListIndicesRequest())
            .indices_size() == 1);
}

TEST_CASE("ListIndices shows a shard that takes no more writes, in red, and the node is told") {
  auto plan = std::make_shared<store::FaultPlan>();
  std::atomic<bool> broken{false};
  plan->intercept = [&](std::string_view what, const std::string& path) -> absl::Status {
    if (!broken || what != "sync" || path.find("/1/") == std::string::npos) return absl::OkStatus();
    return store::SyncError("no sync", EIO);
  };
  World world;
  world.data = store::NewFaultDirectory(world.data, plan);
  std::vector<std::string> told;
  std::mutex mutex;
  world.options.on_shard_event = [&](std::string_view index, int shard, index::ShardEvent event,
                                     const absl::Status& cause) {
    std::lock_guard lock(mutex);
    CHECK(event == index::ShardEvent::kWritesStopped);
    told.push_back(fmt::format("{} {} {}", index, shard, DescribeError(cause).reason));
  };
  world.Reopen();
  world.Create("a", kTwoShards);
  broken = true;
  // One of them is routed to the second shard.
  const std::vector<std::string> ids = {"1", "2", "3", "4", "5", "6", "7", "8"};
  std::vector<catalog::BulkItem> items(ids.size());
  for (size_t i = 0; i < items.size(); ++i) {
    items[i].index = "a";
    items[i].operation.id = ids[i];
    items[i].operation.source = "{}";
  }
  std::vector<catalog::BulkItemResult> results(items.size());
  catalog::ExecuteBulk(*world.catalog, items, catalog::RefreshPolicy::kNone, results, [] {});
  const auto response =
      world.Ok<pb::ListIndicesResponse>(HandleListIndices, pb::ListIndicesRequest());
  REQUIRE(response.indices_size() == 1);
  CHECK(response.indices(0).health() == "red");
  CHECK(response.indices(0).status().find("shard [1] takes no more writes: no sync") == 0);
  std::lock_guard lock(mutex);
  REQUIRE(told.size() == 1);
  CHECK(told[0].find("a 1 no sync") == 0);
}

TEST_CASE("PutMapping adds fields and refuses changes of type") {
  World world;
  world.Create("a", R"({"mappings": {"properties": {"n": {"type": "long"}}}})");
  world.Create("ab");
  pb::PutMappingRequest request;
  request.add_index("a*");
  request.set_body_json(R"({"properties": {"k": {"type": "keyword"}}})");
  CHECK(world.Ok<pb::AcknowledgedResponse>(HandlePutMapping, request).acknowledged());
  for (const char* name : {"a", "ab"}) {
    CHECK(world.catalog->Get(name).value()->mapper().current()->Find("k") != nullptr);
  }
  request.set_index(0, "a");
  request.set_body_json(R"({"properties": {"n": {"type": "keyword"}}})");
  CHECK(world.Error(HandlePutMapping, request).type == "illegal_argument_exception");
  request.clear_body_json();
  CHECK(world.Error(HandlePutMapping, request).rest_status == 400);
  request.set_body_json("{}");
  request.set_index(0, "nosuch*");
  CHECK(world.Error(HandlePutMapping, request).rest_status == 404);
}

TEST_CASE("PutMapping over several indexes changes all of them or none") {
  World world;
  world.Create("p1");
  world.Create("p2", R"({"mappings": {"properties": {"x": {"type": "long"}}}})");
  const std::string before = world.catalog->Get("p1").value()->mapper().current()->ToJson();
  pb::PutMappingRequest request;
  request.set_body_json(R"({"properties": {"x": {"type": "keyword"}}})");
  // No name is not every name.
  CHECK(world.Error(HandlePutMapping, request).type == "action_request_validation_exception");
  request.add_index("p1");
  request.add_index("p2");
  CHECK(world.Error(HandlePutMapping, request).type == "illegal_argument_exception");
  CHECK(world.catalog->Get("p1").value()->mapper().current()->ToJson() == before);
  request.mutable_index()->RemoveLast();
  CHECK(world.Ok<pb::AcknowledgedResponse>(HandlePutMapping, request).acknowledged());
}

TEST_CASE("Refresh and Flush count shards and copies") {
  World world;
  world.Create("a", kTwoShards);
  world.Create("b", kQuiet);
  world.Write("a", {"1", "2", "3"});
  for (const Handler handler : {HandleRefresh, HandleFlush}) {
    auto response = world.Ok<pb::BroadcastResponse>(handler, Indices({}));
    CHECK(response.shards().total() == 5);  // two shards with a replica each, and one
    CHECK(response.shards().successful() == 3);
    CHECK(response.shards().failed() == 0);
    CHECK(world.Ok<pb::BroadcastResponse>(handler, Indices({"b"})).shards().total() == 1);
    CHECK(world.Error(handler, Indices({"nosuch"})).type == "index_not_found_exception");
    pb::IndicesRequest lenient = Indices({"nosuch"});
    lenient.set_ignore_unavailable(true);
    CHECK(world.Ok<pb::BroadcastResponse>(handler, lenient).shards().total() == 0);
    lenient.set_allow_no_indices(false);
    CHECK(world.Error(handler, lenient).rest_status == 404);
  }
}

TEST_CASE("ForceMerge merges the shards it is asked to") {
  World world;
  world.Create("a", kTwoShards);
  world.Create("b", kQuiet);
  const auto stats = [&](const std::string& name) {
    return world.Ok<pb::IndexStatsResponse>(HandleIndexStats, Indices({})).indices().at(name);
  };
  for (const char* id : {"1", "2", "3", "1"}) {
    world.Write("b", {id});
    world.Ok<pb::BroadcastResponse>(HandleRefresh, Indices({"b"}));
  }
  CHECK(stats("b").segments_count() == 4);
  pb::ForceMergeRequest request;
  request.add_index("b");
  // The merge policy minds only the segment that is all deleted.
  for (const int none : {0, -1}) {
    request.set_max_num_segments(none);
    CHECK(world.Ok<pb::BroadcastResponse>(HandleForceMerge, request).shards().successful() == 1);
    CHECK(stats("b").segments_count() == 3);
  }
  request.set_max_num_segments(0);
  world.Write("b", {"2", "3"});
  world.Ok<pb::BroadcastResponse>(HandleRefresh, Indices({"b"}));
  CHECK(stats("b").docs_deleted() == 2);
  request.set_only_expunge_deletes(true);
  world.Ok<pb::BroadcastResponse>(HandleForceMerge, request);
  CHECK(stats("b").segments_count() == 2);
  CHECK(stats("b").docs_deleted() == 0);
  request.set_max_num_segments(1);
  CHECK(world.Error(HandleForceMerge, request).type == "action_request_validation_exception");
  request.set_only_expunge_deletes(false);
  world.Ok<pb::BroadcastResponse>(HandleForceMerge, request);
  CHECK(stats("b").segments_count() == 1);
  CHECK(stats("b").docs_count() == 3);
  CHECK(stats("b").translog_operations() == 0);

  request.set_max_num_segments(-2);
  const ErrorDetails error = world.Error(HandleForceMerge, request);
  CHECK(error.type == "illegal_argument_exception");
  CHECK(error.reason == "[max_num_segments] must be at least 1, not [-2]");
  request.set_max_num_segments(1);
  request.clear_index();
  CHECK(world.Ok<pb::BroadcastResponse>(HandleForceMerge, request).shards().total() == 5);
  request.add_index("nosuch");
  CHECK(world.Error(HandleForceMerge, request).type == "index_not_found_exception");
}

TEST_CASE("GetIndex shows the codec, and an index keeps it") {
  World world;
  world.Create("c", R"({"settings": {"index.codec": "zstd", "codec.compression_level": 5}})");
  for (int round = 0; round < 2; ++round) {
    pb::GetIndexRequest request;
    request.add_index("c");
    const auto shown = world.Ok<pb::GetIndexResponse>(HandleGetIndex, request);
    const std::string text = shown.indices().at("c").DebugString();
    CHECK(text.find("zstd") != std::string::npos);
    CHECK(text.find("compression_level") != std::string::npos);
    const auto& settings = world.catalog->Get("c").value()->settings();
    CHECK(settings.stored.codec == "zstd");
    CHECK(settings.stored.level == 5);
    world.Reopen();
  }
  pb::CreateIndexRequest wrong;
  wrong.set_index("d");
  wrong.set_body_json(R"({"settings": {"index.codec": "lzma"}})");
  CHECK(world.Error(HandleCreateIndex, wrong).type == "illegal_argument_exception");
}

TEST_CASE("IndexStats adds up the shards of each index") {
  World world;
  world.Create("a", kTwoShards);
  world.Create("b", kQuiet);
  world.Write("a", {"1", "2", "3", "1"});
  const auto stats = [&](const std::string& name) {
    return world.Ok<pb::IndexStatsResponse>(HandleIndexStats, Indices({})).indices().at(name);
  };
  CHECK(stats("a").docs_count() == 0);  // as of the last refresh
  CHECK(stats("a").index_total() == 4);
  CHECK(stats("a").translog_operations() == 4);
  CHECK(stats("a").max_seq_no() >= 1);
  CHECK(stats("b").max_seq_no() == -1);
  CHECK(stats("b").local_checkpoint() == -1);
  CHECK(stats("a").buffer_bytes() > 0);
  CHECK(stats("a").mapped_files() == 0);
  CHECK(stats("a").mapped_bytes() == 0);
  CHECK(stats("a").open_files() >= 1);  // a log for each shard
  world.Ok<pb::BroadcastResponse>(HandleFlush, Indices({"a"}));
  CHECK(stats("a").docs_count() == 3);
  CHECK(stats("a").flush_total() >= 1);
  CHECK(stats("a").translog_operations() == 0);
  CHECK(stats("a").segments_count() >= 1);
  CHECK(stats("a").stored_raw_bytes() > 0);
  CHECK(stats("a").mapped_bytes() == stats("a").store_bytes());
  CHECK(stats("a").mapped_files() == 6 * stats("a").segments_count());
  CHECK(stats("a").reader_heap_bytes() > 0);  // of the document that was replaced: live docs
  CHECK(stats("b").docs_count() == 0);
  CHECK(world.Error(HandleIndexStats, Indices({"nosuch"})).rest_status == 404);
}

}  // namespace
}  // namespace curlew::handlers
