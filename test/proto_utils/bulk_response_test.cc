// Outcomes of bulk items as clients see them.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "engine/util/error.h"
#include "proto_utils/response/bulk_response.h"
#include "protos/opensearch/bulk_response.pb.h"

namespace curlew {
namespace {

using index::OpType;
using index::ResultKind;
using org::opensearch::protobufs::BulkResponse;

struct Outcome {
  proto_utils::ConvertedBulk bulk;
  std::vector<catalog::BulkItemResult> results;

  catalog::BulkItemResult& Add(OpType type, const char* id) {
    catalog::BulkItem item;
    item.index = "i";
    item.operation.type = type;
    item.operation.id = id;
    bulk.items.push_back(std::move(item));
    bulk.item_errors.emplace_back();
    return results.emplace_back();
  }
  BulkResponse Fill() const {
    BulkResponse response;
    proto_utils::FillBulkResponse(bulk, results, 12, response);
    return response;
  }
};

index::OperationResult Result(ResultKind kind, int64_t version = -1, int64_t seq_no = -1,
                              int64_t primary_term = 0) {
  index::OperationResult result;
  result.kind = kind;
  result.version = version;
  result.seq_no = seq_no;
  result.primary_term = primary_term;
  return result;
}

TEST_CASE("results by operation") {
  Outcome o;
  auto& created = o.Add(OpType::kIndex, "1");
  created.result = Result(ResultKind::kCreated, 1, 0, 1);
  created.shards_total = 2;
  created.forced_refresh = true;
  o.Add(OpType::kCreate, "2").result = Result(ResultKind::kCreated, 1, 5, 1);
  auto& updated = o.Add(OpType::kUpdate, "3").result;
  updated = Result(ResultKind::kUpdated, 4, 6, 1);
  updated.get_source = R"({"a":1})";
  o.Add(OpType::kUpdate, "4").result = Result(ResultKind::kNoop, 2, 3, 1);
  o.Add(OpType::kDelete, "5").result = Result(ResultKind::kDeleted, 2, 7, 1);
  o.Add(OpType::kDelete, "6").result = Result(ResultKind::kNotFound, 1, 8, 1);
  o.Add(OpType::kUpdate, "7").result = Result(ResultKind::kNoop);

  const BulkResponse response = o.Fill();
  CHECK(response.took() == 12);
  CHECK_FALSE(response.errors());
  CHECK_FALSE(response.has_ingest_took());
  REQUIRE(response.items_size() == 7);

  const auto& index = response.items(0).index();
  CHECK(index.x_index() == "i");
  CHECK(index.x_id() == "1");
  CHECK(index.status() == 0);
  CHECK(index.result() == "created");
  CHECK(index.x_version() == 1);
  CHECK(index.has_x_seq_no());
  CHECK(index.x_seq_no() == 0);
  CHECK(index.x_primary_term() == 1);
  CHECK(index.x_shards().total() == 2);
  CHECK(index.x_shards().successful() == 1);
  CHECK(index.x_shards().failed() == 0);
  CHECK(index.forced_refresh());
  CHECK_FALSE(index.has_error());
  CHECK_FALSE(index.has_get());

  CHECK(response.items(1).create().result() == "created");
  CHECK_FALSE(response.items(1).create().has_forced_refresh());

  const auto& update = response.items(2).update();
  CHECK(update.result() == "updated");
  CHECK(update.get().found());
  CHECK(update.get().x_source() == R"({"a":1})");
  CHECK(update.get().x_seq_no() == 6);
  CHECK(update.get().x_primary_term() == 1);

  CHECK(response.items(3).update().result() == "noop");
  CHECK(response.items(3).update().status() == 0);
  CHECK(response.items(4).delete_().result() == "deleted");
  CHECK(response.items(5).delete_().result() == "not_found");
  CHECK(response.items(5).delete_().status() == 5);
  CHECK_FALSE(response.items(5).delete_().has_error());
  CHECK(response.items(6).update().x_version() == -1);
  CHECK_FALSE(response.items(6).update().has_x_seq_no());
  CHECK_FALSE(response.items(6).update().has_x_primary_term());
}

TEST_CASE("failures by item") {
  struct Case {
    absl::Status error;
    int status;
    const char* type;
  };
  const std::vector<Case> cases = {
      {MakeError("version_conflict_engine_exception", 409, "r"), 10,
       "version_conflict_engine_exception"},
      {MakeError("document_missing_exception", 404, "r"), 5, "document_missing_exception"},
      {IndexNotFound("i"), 5, "index_not_found_exception"},
      {MapperParsing("r"), 3, "mapper_parsing_exception"},
      {MakeError("cluster_block_exception", 403, "r"), 7, "cluster_block_exception"},
      {MakeError("cluster_block_exception", 429, "r"), 8, "cluster_block_exception"},
      {MakeError("unavailable_shards_exception", 503, "r"), 14, "unavailable_shards_exception"},
      {MakeError("exception", 500, "r"), 13, "exception"},
  };
  Outcome o;
  for (const Case& c : cases) o.Add(OpType::kIndex, "1").result.status = c.error;
  o.Add(OpType::kIndex, "").result.status = absl::OkStatus();
  o.bulk.item_errors.back() = IllegalArgument("if _id is specified it must not be empty");
  o.bulk.pipelines = true;
  o.bulk.items[0].generated_id = "generated";

  const BulkResponse response = o.Fill();
  CHECK(response.errors());
  CHECK(response.has_ingest_took());
  CHECK(response.items(0).index().x_id() == "generated");
  for (size_t i = 0; i < cases.size(); ++i) {
    CAPTURE(i);
    const auto& item = response.items(static_cast<int>(i)).index();
    CHECK(item.status() == cases[i].status);
    CHECK(item.error().type() == cases[i].type);
    CHECK(item.x_index() == "i");
    CHECK_FALSE(item.has_result());
    CHECK_FALSE(item.has_x_shards());
    CHECK_FALSE(item.has_x_version());
  }
  const auto& last = response.items(static_cast<int>(cases.size())).index();
  CHECK(last.status() == 3);
  CHECK_FALSE(last.has_x_id());
}

TEST_CASE("an error shows its facts and causes") {
  org::opensearch::protobufs::ResponseItem item;
  const absl::Status error = WithCause(
      WithMetadata(WithMetadata(MapperParsing("failed to parse"), "index", "i"), "shard", "0"),
      IllegalArgument("because"));
  proto_utils::FillBulkFailure(error, item);
  CHECK(item.error().reason() == "failed to parse");
  CHECK(item.error().caused_by().type() == "illegal_argument_exception");
  CHECK(item.error().caused_by().reason() == "because");
  CHECK(item.error().metadata().fields().at("index").string() == "i");
  CHECK(item.error().metadata().fields().at("shard").string() == "0");
}

}  // namespace
}  // namespace curlew
