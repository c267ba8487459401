// Bodies as a Struct or as text.
#include "handlers/json_body.h"

#include <google/protobuf/struct.pb.h>

#include <catch2/catch.hpp>

#include "engine/util/error.h"

namespace curlew::handlers {
namespace {

using google::protobuf::Struct;

TEST_CASE("a body is the text, or the Struct as text") {
  CHECK(BodyJson(nullptr, R"({"a": 12345678901234567890})", true).value() ==
        R"({"a": 12345678901234567890})");
  Struct body;
  (*body.mutable_fields())["a"].mutable_struct_value()->mutable_fields();
  CHECK(BodyJson(&body, "", true).value() == R"({"a":{}})");
  (*body.mutable_fields())["a"].set_number_value(1);
  CHECK(BodyJson(&body, "", false).value() == R"({"a":1})");
  CHECK(BodyJson(nullptr, "", false).value() == "");
  Struct empty;
  CHECK(BodyJson(&empty, "", true).value() == "{}");
}

TEST_CASE("both bodies, or none where one is needed, are refused") {
  Struct body;
  for (const absl::Status& status :
       {BodyJson(&body, "{}", true).status(), BodyJson(&body, "{}", false).status(),
        BodyJson(nullptr, "", true).status()}) {
    CHECK(DescribeError(status).type == "illegal_argument_exception");
    CHECK(DescribeError(status).reason.find("[body_json]") != std::string::npos);
  }
}

TEST_CASE("a Struct that is no JSON is refused") {
  Struct body;
  (*body.mutable_fields())["a"].set_number_value(std::numeric_limits<double>::infinity());
  CHECK(DescribeError(BodyJson(&body, "", true).status()).type == "illegal_argument_exception");
  Struct unset;
  (*unset.mutable_fields())["a"];
  CHECK(DescribeError(BodyJson(&unset, "", true).status()).type == "illegal_argument_exception");
}

TEST_CASE("JSON objects become Structs") {
  Struct out;
  REQUIRE(FillStruct(R"({"a": [1, "x", null, true], "b": {"c": {}}})", out).ok());
  CHECK(out.fields().at("a").list_value().values_size() == 4);
  CHECK(out.fields().at("a").list_value().values(0).number_value() == 1);
  CHECK(out.fields().at("b").struct_value().fields().at("c").has_struct_value());
  Struct bad;
  CHECK(FillStruct("{", bad).code() == absl::StatusCode::kInternal);
}

}  // namespace
}  // namespace curlew::handlers
