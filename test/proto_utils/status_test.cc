// Engine errors as gRPC codes and texts.
#include <catch2/catch.hpp>

#include <grpcpp/support/status.h>
#include <simdjson.h>

#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "engine/util/error.h"
#include "proto_utils/json_text.h"
#include "proto_utils/response/bulk_response.h"
#include "proto_utils/status.h"
#include "protos/opensearch/bulk_response.pb.h"

namespace curlew {
namespace {

using proto_utils::ToGrpcStatus;

TEST_CASE("REST statuses have the gRPC codes of OpenSearch's table") {
  const std::vector<std::pair<int, grpc::StatusCode>> table = {
      {100, grpc::OK},
      {200, grpc::OK},
      {201, grpc::OK},
      {299, grpc::OK},
      {302, grpc::FAILED_PRECONDITION},
      {400, grpc::INVALID_ARGUMENT},
      {401, grpc::PERMISSION_DENIED},
      {402, grpc::PERMISSION_DENIED},
      {403, grpc::PERMISSION_DENIED},
      {404, grpc::NOT_FOUND},
      {405, grpc::UNIMPLEMENTED},
      {406, grpc::INVALID_ARGUMENT},
      {407, grpc::UNAUTHENTICATED},
      {408, grpc::DEADLINE_EXCEEDED},
      {409, grpc::ABORTED},
      {410, grpc::NOT_FOUND},
      {411, grpc::FAILED_PRECONDITION},
      {412, grpc::FAILED_PRECONDITION},
      {413, grpc::OUT_OF_RANGE},
      {414, grpc::INVALID_ARGUMENT},
      {415, grpc::INVALID_ARGUMENT},
      {416, grpc::OUT_OF_RANGE},
      {417, grpc::FAILED_PRECONDITION},
      {421, grpc::INVALID_ARGUMENT},
      {422, grpc::INVALID_ARGUMENT},
      {423, grpc::FAILED_PRECONDITION},
      {424, grpc::FAILED_PRECONDITION},
      {429, grpc::RESOURCE_EXHAUSTED},
      {500, grpc::INTERNAL},
      {501, grpc::UNIMPLEMENTED},
      {502, grpc::UNAVAILABLE},
      {503, grpc::UNAVAILABLE},
      {504, grpc::DEADLINE_EXCEEDED},
      {505, grpc::UNIMPLEMENTED},
      {507, grpc::RESOURCE_EXHAUSTED},
      {418, grpc::UNKNOWN},
      {599, grpc::UNKNOWN},
  };
  for (const auto& [rest, code] : table) {
    CAPTURE(rest);
    CHECK(proto_utils::GrpcCodeOfRest(rest) == code);
  }
}

TEST_CASE("errors by kind") {
  const std::vector<std::pair<absl::Status, grpc::StatusCode>> table = {
      {absl::OkStatus(), grpc::OK},
      {IllegalArgument("r"), grpc::INVALID_ARGUMENT},
      {ValidationError("r"), grpc::INVALID_ARGUMENT},
      {QueryShardError("r"), grpc::INVALID_ARGUMENT},
      {IndexNotFound("i"), grpc::NOT_FOUND},
      {Unsupported("r"), grpc::UNIMPLEMENTED},
      {Cancelled(), grpc::CANCELLED},
      {DeadlineExceeded(), grpc::DEADLINE_EXCEEDED},
      {Corruption("r"), grpc::DATA_LOSS},
      {WithMetadata(Corruption("r"), "index", "i"), grpc::DATA_LOSS},
      {IoError("r", ENOSPC), grpc::RESOURCE_EXHAUSTED},
      {IoError("r", EIO), grpc::INTERNAL},
      // A file of ours that is missing is no document or index that the client asked for.
      {IoError("r", ENOENT), grpc::INTERNAL},
      {MakeError("response_too_large_exception", 507, "r"), grpc::RESOURCE_EXHAUSTED},
      {absl::UnknownError("r"), grpc::INTERNAL},
      {MakeError("version_conflict_engine_exception", 409, "r"), grpc::ABORTED},
      {MakeError("circuit_breaking_exception", 429, "r"), grpc::RESOURCE_EXHAUSTED},
  };
  for (const auto& [status, code] : table) {
    CAPTURE(status.ToString());
    CHECK(ToGrpcStatus(status).error_code() == code);
    CHECK(proto_utils::GrpcCodeOf(status) == code);
    if (status.ok()) continue;
    // An item of a bulk response says the same by number.
    org::opensearch::protobufs::ResponseItem item;
    proto_utils::FillBulkFailure(status, item);
    CHECK(item.status() == code);
  }
  CHECK(ToGrpcStatus(Unsupported("search_request_body.rescore is not supported yet"))
            .error_message() == "search_request_body.rescore is not supported yet");
}

TEST_CASE("the text of an error holds REST's error object") {
  const grpc::Status status = ToGrpcStatus(IndexNotFound("films"));
  const std::string text = status.error_message();
  CHECK(text.starts_with("IndexNotFoundException[no such index [films]]; details={"));
  simdjson::dom::parser parser;
  const std::string json = text.substr(text.find("; details=") + 10);
  const auto object = parser.parse(json);
  REQUIRE(object.error() == simdjson::SUCCESS);
  CHECK(int64_t(object["status"]) == 404);
  CHECK(std::string_view(object["error"]["type"]) == "index_not_found_exception");
  CHECK(std::string_view(object["error"]["root_cause"].at(0)["reason"]) == "no such index [films]");
}

TEST_CASE("texts stay small enough for trailers, and JSON stays whole or away") {
  for (size_t length : {10, 1000, 1900, 2100, 5000, 100000}) {
    CAPTURE(length);
    const std::string text =
        ToGrpcStatus(IllegalArgument(std::string(length, '"'))).error_message();
    CHECK(text.size() <= 4096 + 64);
    const size_t at = text.find("; details=");
    if (at == std::string::npos) continue;
    simdjson::dom::parser parser;
    const std::string json = text.substr(at + 10);
    CHECK(parser.parse(json).error() == simdjson::SUCCESS);
  }
}

TEST_CASE("names of exceptions in Java's spelling") {
  CHECK(proto_utils::JavaName("index_not_found_exception") == "IndexNotFoundException");
  CHECK(proto_utils::JavaName("i_o_exception") == "IOException");
  CHECK(proto_utils::JavaName("").empty());
}

TEST_CASE("JSON text") {
  std::string out;
  proto_utils::AppendJsonString("a\"b\\c\n\r\t\x01\x1fz\xc3\xa9", out);
  CHECK(out == "\"a\\\"b\\\\c\\n\\r\\t\\u0001\\u001fz\xc3\xa9\"");
}

}  // namespace
}  // namespace curlew
