// Bulk requests: items as the engine gets them, and requests refused whole in OpenSearch's words.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "engine/util/error.h"
#include "proto_utils/request/bulk_request.h"
#include "protos/opensearch/bulk_request.pb.h"
#include "test/proto_utils/request_text.h"

namespace curlew {
namespace {

using index::OpType;
using index::VersionType;
using org::opensearch::protobufs::BulkRequest;

struct Conversion {
  explicit Conversion(const std::string& text)
      : proto(test::Parse<BulkRequest>(text)),
        status(proto_utils::ConvertBulkRequest(proto, converted)) {}

  BulkRequest proto;
  proto_utils::ConvertedBulk converted;
  absl::Status status;

  const index::Operation& operation(size_t i = 0) const { return converted.items[i].operation; }
  std::string Error() const {
    return absl::StatusCodeToString(status.code()) + ": " + DescribeError(status).reason;
  }
};

// One item of the index "i".
Conversion Item(const std::string& text) {
  return Conversion("index: 'i' bulk_request_body { " + text + " }");
}

TEST_CASE("operations reach the engine") {
  const Conversion c(R"(
    index: "def" routing: "r" require_alias: true
    bulk_request_body { operation_container { index { x_id: "1" } } object: "{\"a\":1}" }
    bulk_request_body { operation_container { index { x_index: "other" routing: "own"
      require_alias: false version: 7 version_type: VERSION_TYPE_EXTERNAL_GTE x_id: "2" } } }
    bulk_request_body { operation_container { index { op_type: OP_TYPE_CREATE } } object: "{}" }
    bulk_request_body { operation_container { create { x_id: "4" } } object: "{}" }
    bulk_request_body { operation_container { update { x_id: "5" if_seq_no: 3 if_primary_term: 1 } }
      update_action { doc: "{\"d\":1}" detect_noop: false x_source { fetch: true } } }
    bulk_request_body { operation_container { update { x_id: "6" retry_on_conflict: 3 } }
      object: "{\"o\":1}" update_action { upsert: "{\"u\":1}" doc_as_upsert: true } }
    bulk_request_body { operation_container { delete { x_id: "7" version: 9
      version_type: VERSION_TYPE_EXTERNAL } } }
  )");
  REQUIRE(c.status.ok());
  REQUIRE(c.converted.items.size() == 7);
  for (const absl::Status& error : c.converted.item_errors) CHECK(error.ok());

  CHECK(c.operation(0).type == OpType::kIndex);
  CHECK(c.converted.items[0].index == "def");
  CHECK(c.converted.items[0].require_alias);
  CHECK(c.operation(0).id == "1");
  CHECK(c.operation(0).routing == "r");
  CHECK(c.operation(0).source == R"({"a":1})");
  // The document is not copied.
  CHECK(c.operation(0).source.data() == c.proto.bulk_request_body(0).object().data());
  CHECK_FALSE(c.operation(0).version.has_value());

  CHECK(c.converted.items[1].index == "other");
  CHECK_FALSE(c.converted.items[1].require_alias);
  CHECK(c.operation(1).routing == "own");
  CHECK(c.operation(1).version == 7);
  CHECK(c.operation(1).version_type == VersionType::kExternalGte);
  CHECK(c.operation(1).source.empty());

  CHECK(c.operation(2).type == OpType::kCreate);
  CHECK(c.operation(2).id.empty());
  CHECK(c.operation(3).type == OpType::kCreate);

  CHECK(c.operation(4).type == OpType::kUpdate);
  CHECK(c.operation(4).doc == R"({"d":1})");
  CHECK(c.operation(4).retry_on_conflict == 0);
  CHECK(c.operation(5).retry_on_conflict == 3);
  CHECK_FALSE(c.operation(4).upsert.has_value());
  CHECK_FALSE(c.operation(4).detect_noop);
  CHECK(c.operation(4).want_source);
  CHECK(c.operation(4).if_seq_no == 3);
  CHECK(c.operation(4).if_primary_term == 1);

  CHECK(c.operation(5).doc == R"({"o":1})");
  CHECK(c.operation(5).upsert == R"({"u":1})");
  CHECK(c.operation(5).doc_as_upsert);
  CHECK(c.operation(5).detect_noop);
  CHECK_FALSE(c.operation(5).want_source);

  CHECK(c.operation(6).type == OpType::kDelete);
  CHECK(c.operation(6).version == 9);
  CHECK(c.operation(6).version_type == VersionType::kExternal);
}

TEST_CASE("refresh, and the request's source for updates") {
  const std::string update =
      "index: 'i' bulk_request_body { operation_container { update { x_id: '1' } } "
      "update_action { doc: '{}' x_source { fetch: true } } } ";
  CHECK(Conversion(update).converted.refresh == catalog::RefreshPolicy::kNone);
  CHECK(Conversion(update + "refresh: REFRESH_FALSE").converted.refresh ==
        catalog::RefreshPolicy::kNone);
  CHECK(Conversion(update + "refresh: REFRESH_TRUE").converted.refresh ==
        catalog::RefreshPolicy::kTrue);
  CHECK(Conversion(update + "refresh: REFRESH_WAIT_FOR").converted.refresh ==
        catalog::RefreshPolicy::kWaitFor);
  CHECK(Conversion(update).operation().want_source);
  CHECK_FALSE(Conversion(update + "x_source { fetch: false }").operation().want_source);
  CHECK(Conversion(update + "x_source { }").operation().want_source);
  CHECK(Conversion(update + "x_source { fields { string_array: 'a' } }").Error() ==
        "UNIMPLEMENTED: x_source.fields is not supported yet");
}

TEST_CASE("items that fail by themselves") {
  const Conversion c(R"(
    index: "i" pipeline: "p"
    bulk_request_body { operation_container { index { x_id: "" } } object: "{}" }
    bulk_request_body { operation_container { index { x_id: "1" } } object: "{}" }
    bulk_request_body { operation_container { create { x_id: "2" pipeline: "_none" } } object: "{}" }
    bulk_request_body { operation_container { update { x_id: "3" } } update_action { doc: "{}" } }
    bulk_request_body { operation_container { delete { x_id: "4" } } }
  )");
  REQUIRE(c.status.ok());
  CHECK(c.converted.pipelines);
  const auto& errors = c.converted.item_errors;
  REQUIRE(errors.size() == 5);
  CHECK(DescribeError(errors[0]).reason == "if _id is specified it must not be empty");
  CHECK(DescribeError(errors[0]).type == "illegal_argument_exception");
  CHECK(DescribeError(errors[1]).reason == "pipeline with id [p] does not exist");
  CHECK(errors[2].ok());
  CHECK(errors[3].ok());
  CHECK(errors[4].ok());
}

TEST_CASE("waiting for copies that there are not fails the items") {
  const std::string item = "operation_container { delete { x_id: '1' } } } ";
  const Conversion two("wait_for_active_shards { count: 2 } index: 'i' bulk_request_body { " +
                       item);
  REQUIRE(two.status.ok());
  CHECK(DescribeError(two.converted.item_errors[0]).type == "unavailable_shards_exception");
  CHECK(DescribeError(two.converted.item_errors[0]).rest_status == 503);
  for (const char* fine :
       {"count: 0", "count: 1", "", "option: WAIT_FOR_ACTIVE_SHARD_OPTIONS_NULL"}) {
    CAPTURE(fine);
    const Conversion c(std::string("wait_for_active_shards { ") + fine +
                       " } index: 'i' bulk_request_body { " + item);
    REQUIRE(c.status.ok());
    CHECK(c.converted.item_errors[0].ok());
  }
  CHECK(Conversion("wait_for_active_shards { count: -1 } index: 'i'").Error() ==
        "INVALID_ARGUMENT: wait_for_active_shards.count: shard count cannot be a negative value, "
        "got [-1]");
}

TEST_CASE("timeouts are checked for form") {
  const auto with = [](const std::string& timeout) {
    return Conversion("timeout: '" + timeout +
                      "' index: 'i' bulk_request_body { operation_container { delete { x_id: '1' } "
                      "} }");
  };
  for (const char* good : {"1m", "-1", "0", "1 m", "10S", "100ms"}) {
    CAPTURE(good);
    CHECK(with(good).status.ok());
  }
  for (const char* bad : {"5", "", "1.5s", "1w", "abc"}) {
    CAPTURE(bad);
    CHECK(with(bad).status.code() == absl::StatusCode::kInvalidArgument);
  }
}

TEST_CASE("requests refused whole") {
  struct Case {
    const char* item;
    const char* expected;
  };
  const std::string kFailed = "INVALID_ARGUMENT: Validation Failed: ";
  CHECK(Conversion("index: 'i'").Error() == kFailed + "1: no requests added;");
  CHECK(Conversion("bulk_request_body { operation_container { index { x_id: '1' } } }").Error() ==
        kFailed + "1: index is missing (item 0);");
  CHECK(Item("object: '{}'").Error() ==
        "INVALID_ARGUMENT: bulk_request_body[0].operation_container: an operation (create, index, "
        "update, or delete) must be given");
  const std::vector<Case> cases = {
      {"update { }", "1: id is missing (item 0);"},
      {"delete { }", "1: id is missing (item 0);"},
      {"index { x_id: '1' if_seq_no: 4 }", "1: ifSeqNo is set, but primary term is [0] (item 0);"},
      {"index { x_id: '1' if_primary_term: 1 }",
       "1: ifSeqNo is unassigned, but primary term is [1] (item 0);"},
      {"index { x_id: '1' op_type: OP_TYPE_CREATE if_seq_no: 5 if_primary_term: 1 }",
       "1: create operations do not support compare and set. use index instead (item 0);"},
      {"index { x_id: '1' op_type: OP_TYPE_CREATE version: 3 version_type: VERSION_TYPE_EXTERNAL }",
       "1: create operations only support internal versioning. use index instead (item 0);"},
      {"index { x_id: '1' op_type: OP_TYPE_CREATE version: 3 }",
       "1: create operations do not support explicit versions. use index instead (item 0);"},
      {"index { x_id: '1' version: 9 version_type: VERSION_TYPE_EXTERNAL if_seq_no: 5 "
       "if_primary_term: 1 }",
       "1: compare and write operations can not use versioning (item 0);"},
      {"index { x_id: '1' version: -1 version_type: VERSION_TYPE_EXTERNAL }",
       "1: illegal version value [-1] for version type [EXTERNAL] (item 0);"},
      {"index { x_id: '1' version_type: VERSION_TYPE_EXTERNAL }",
       "1: illegal version value [-3] for version type [EXTERNAL] (item 0);"},
      {"delete { x_id: '1' version: -7 version_type: VERSION_TYPE_EXTERNAL_GTE }",
       "1: illegal version value [-7] for version type [EXTERNAL_GTE] (item 0);"},
      {"index { x_id: 'i' version: 1 version_type: VERSION_TYPE_INTERNAL }",
       "1: internal versioning can not be used for optimistic concurrency control. Please use "
       "`if_seq_no` and `if_primary_term` instead (item 0);"},
      {"index { x_id: 'i' version: 7 version_type: VERSION_TYPE_FORCE }",
       "1: internal versioning can not be used for optimistic concurrency control. Please use "
       "`if_seq_no` and `if_primary_term` instead (item 0);"},
      {"index { x_id: 'i' version: 0 }",
       "1: illegal version value [0] for version type [INTERNAL] (item 0);2: internal versioning "
       "can "
       "not be used for optimistic concurrency control. Please use `if_seq_no` and "
       "`if_primary_term` instead (item 0);"},
      {"index { version: 1 version_type: VERSION_TYPE_EXTERNAL }",
       "1: an id must be provided if version type or value are set (item 0);"},
      {"update { x_id: '1' if_seq_no: 1 if_primary_term: 1 retry_on_conflict: 2 }",
       "1: compare and write operations can not be retried (item 0);"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.item);
    CHECK(Item(std::string("operation_container { ") + c.item + " } object: '{}'").Error() ==
          kFailed + c.expected);
  }
  CHECK(Item("operation_container { update { x_id: '1' } }").Error() ==
        kFailed + "1: script or doc is missing (item 0);");
  CHECK(Item("operation_container { update { x_id: '1' } } update_action { doc: '' } object: '{}'")
            .Error() == kFailed + "1: script or doc is missing (item 0);");
  CHECK(Item("operation_container { update { x_id: '1' if_seq_no: 1 if_primary_term: 1 } } "
             "update_action { doc: '{}' upsert: '{}' doc_as_upsert: true }")
            .Error() ==
        kFailed +
            "1: compare and write operations can not be used with upsert (item 0);2: upsert "
            "requests don't support `if_seq_no` and `if_primary_term` (item 0);");
  // Several items add up.
  CHECK(
      Conversion("index: 'i' bulk_request_body { operation_container { update { } } object: '{}' }"
                 "bulk_request_body { operation_container { index { x_id: '1' } } }"
                 "bulk_request_body { operation_container { delete { } } }")
          .Error() == kFailed + "1: id is missing (item 0);2: id is missing (item 2);");
}

TEST_CASE("sequence numbers and terms out of range") {
  CHECK(Item("operation_container { index { x_id: '1' if_seq_no: -1 if_primary_term: 1 } }")
            .Error() ==
        "INVALID_ARGUMENT: bulk_request_body[0].operation_container.index.if_seq_no: sequence "
        "numbers must be non negative, got [-1]");
  CHECK(
      Item("operation_container { delete { x_id: '1' if_seq_no: 5 if_primary_term: -1 } }")
          .Error() ==
      "INVALID_ARGUMENT: bulk_request_body[0].operation_container.delete.if_primary_term: primary "
      "term must be non negative, got [-1]");
  // OpenSearch's own signs for "none".
  const Conversion none = Item(
      "operation_container { index { x_id: '1' if_seq_no: -2 if_primary_term: 0 version: -3 } }");
  REQUIRE(none.status.ok());
  CHECK_FALSE(none.operation().if_seq_no.has_value());
  CHECK_FALSE(none.operation().if_primary_term.has_value());
  CHECK_FALSE(none.operation().version.has_value());
}

TEST_CASE("ids of up to 512 bytes") {
  const auto with = [](size_t bytes) {
    return Item("operation_container { index { x_id: '" + std::string(bytes, 'x') + "' } }");
  };
  CHECK(with(512).status.ok());
  const std::string error = with(513).Error();
  CHECK(error.starts_with("INVALID_ARGUMENT: Validation Failed: 1: id [xxx"));
  CHECK(error.ends_with("] is too long, must be no longer than 512 bytes but was: 513 (item 0);"));
}

TEST_CASE("what is not served in an item is refused by name") {
  CHECK(Item("operation_container { update { x_id: '1' } } update_action { script { } }").Error() ==
        "UNIMPLEMENTED: bulk_request_body[0].update_action.script is not supported yet");
  CHECK(Item("operation_container { update { x_id: '1' } } "
             "update_action { doc: '{}' scripted_upsert: true }")
            .Error() ==
        "UNIMPLEMENTED: bulk_request_body[0].update_action.scripted_upsert is not supported yet");
  CHECK(Item("operation_container { update { x_id: '1' } } "
             "update_action { doc: '{}' x_source { filter { includes: 'a' } } }")
            .Error() ==
        "UNIMPLEMENTED: bulk_request_body[0].update_action.x_source.filter is not supported yet");
  CHECK(
      Item("operation_container { delete { x_id: '1' } } extra_field_values { key: 'f' value { } }")
          .Error() ==
      "UNIMPLEMENTED: bulk_request_body[0].extra_field_values is not supported yet");
  CHECK(
      Conversion("wait_for_active_shards { option: WAIT_FOR_ACTIVE_SHARD_OPTIONS_ALL }").Error() ==
      "UNIMPLEMENTED: wait_for_active_shards.option [WAIT_FOR_ACTIVE_SHARD_OPTIONS_ALL] is not "
      "supported yet");
}

}  // namespace
}  // namespace curlew
