// What is put into an error comes out of it again, and every error has a type and a status.
#include "engine/util/error.h"

#include <catch2/catch.hpp>
#include <cerrno>
#include <string>

namespace curlew {
namespace {

std::string Message(const absl::Status& status) {
  return std::string(status.message().data(), status.message().size());
}

TEST_CASE("texts that are no UTF-8 are described in UTF-8") {
  const std::string replaced = "\xef\xbf\xbd";
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
      {"a\xff"
       "b",
       "a" + replaced + "b"},
      {"\xc3", replaced},
      {"\xe2\x82", replaced + replaced},
      {"\xc0\xaf", replaced + replaced},
      {"\xed\xa0\x80", replaced + replaced + replaced},
      {"\xf4\x90\x80\x80x", replaced + replaced + replaced + replaced + "x"},
      {std::string("\0", 1), std::string("\0", 1)}};
  for (const auto& [text, shown] : expected) {
    absl::Status status = WithMetadata(IllegalArgument(text), "value", text);
    CHECK(DescribeError(status).reason == shown);
    CHECK(DescribeError(status).metadata[0].second == shown);
    CHECK(DescribeError(WithCause(IllegalArgument("x"), IllegalArgument(text))).cause->reason ==
          shown);
    CHECK(DescribeError(absl::InternalError(text)).reason == shown);
  }
}

TEST_CASE("the absl code follows from the REST status") {
  using absl::StatusCode;
  const std::pair<int, StatusCode> expected[] = {
      {400, StatusCode::kInvalidArgument},   {401, StatusCode::kPermissionDenied},
      {403, StatusCode::kPermissionDenied},  {404, StatusCode::kNotFound},
      {405, StatusCode::kUnimplemented},     {407, StatusCode::kUnauthenticated},
      {409, StatusCode::kAborted},           {412, StatusCode::kFailedPrecondition},
      {413, StatusCode::kOutOfRange},        {429, StatusCode::kResourceExhausted},
      {500, StatusCode::kInternal},          {501, StatusCode::kUnimplemented},
      {503, StatusCode::kUnavailable},       {504, StatusCode::kDeadlineExceeded},
      {507, StatusCode::kResourceExhausted}, {599, StatusCode::kUnknown}};
  for (const auto& [rest, code] : expected) {
    const absl::Status status = MakeError("some_exception", rest, "why");
    CHECK(status.code() == code);
    CHECK(DescribeError(status).rest_status == rest);
    CHECK(DescribeError(status).type == "some_exception");
    CHECK(DescribeError(status).reason == "why");
    CHECK(Message(status) == "why");
  }
}

TEST_CASE("the common kinds have OpenSearch's types") {
  const std::pair<absl::Status, std::pair<std::string, int>> expected[] = {
      {IllegalArgument("r"), {"illegal_argument_exception", 400}},
      {MapperParsing("r"), {"mapper_parsing_exception", 400}},
      {ValidationError("r"), {"action_request_validation_exception", 400}},
      {QueryShardError("r"), {"query_shard_exception", 400}},
      {IndexNotFound("books"), {"index_not_found_exception", 404}}};
  for (const auto& [status, kind] : expected) {
    CHECK(DescribeError(status).type == kind.first);
    CHECK(DescribeError(status).rest_status == kind.second);
  }
  CHECK(Message(IndexNotFound("books")) == "no such index [books]");
  CHECK(DescribeError(IndexNotFound("books")).metadata ==
        std::vector<std::pair<std::string, std::string>>{{"index", "books"}});
  CHECK(Unsupported("r").code() == absl::StatusCode::kUnimplemented);
  CHECK(Corruption("r").code() == absl::StatusCode::kDataLoss);
  CHECK(Cancelled().code() == absl::StatusCode::kCancelled);
  CHECK(DeadlineExceeded().code() == absl::StatusCode::kDeadlineExceeded);
}

TEST_CASE("errors of the system keep what the system says") {
  CHECK(IoError("cannot open [x]", EIO).code() == absl::StatusCode::kInternal);
  CHECK(IoError("cannot open [x]", ENOENT).code() == absl::StatusCode::kNotFound);
  for (const int full : {ENOSPC, EDQUOT, EFBIG}) {
    CHECK(IoError("cannot write to [x]", full).code() == absl::StatusCode::kResourceExhausted);
  }
  CHECK(Message(IoError("cannot open [x]", EACCES)) == "cannot open [x]: Permission denied");
}

TEST_CASE("facts and causes are added below what is there") {
  absl::Status status = MakeError("a_exception", 400, "top");
  status = WithMetadata(status, "index", "books");
  status = WithMetadata(status, "shard", std::string("0\0x", 3));
  status = WithCause(status, WithCause(MakeError("b_exception", 500, "middle"), Corruption("low")));
  status = WithCause(status, absl::NotFoundError("lowest"));
  CHECK(status.code() == absl::StatusCode::kInvalidArgument);

  const ErrorDetails details = DescribeError(status);
  CHECK(details.type == "a_exception");
  REQUIRE(details.metadata.size() == 2);
  CHECK(details.metadata[0] == std::pair<std::string, std::string>{"index", "books"});
  CHECK(details.metadata[1].second == std::string("0\0x", 3));
  REQUIRE(details.cause != nullptr);
  CHECK(details.cause->type == "b_exception");
  CHECK(details.cause->rest_status == 500);
  REQUIRE(details.cause->cause != nullptr);
  CHECK(details.cause->cause->reason == "low");
  REQUIRE(details.cause->cause->cause != nullptr);
  CHECK(details.cause->cause->cause->type == "resource_not_found_exception");
  CHECK(details.cause->cause->cause->cause == nullptr);
}

TEST_CASE("an OK status takes no facts and no cause, and an OK cause is none") {
  CHECK(WithMetadata(absl::OkStatus(), "k", "v").ok());
  CHECK(WithCause(absl::OkStatus(), Corruption("r")).ok());
  CHECK(DescribeError(WithCause(IllegalArgument("r"), absl::OkStatus())).cause == nullptr);
}

TEST_CASE("a very long chain of causes is cut") {
  absl::Status status = IllegalArgument("0");
  for (int i = 1; i < 100; ++i) status = WithCause(IllegalArgument(std::to_string(i)), status);
  ErrorDetails details = DescribeError(status);
  CHECK(details.reason == "99");
  int depth = 0;
  for (auto cause = details.cause; cause != nullptr; cause = cause->cause) ++depth;
  CHECK((depth >= 30 && depth < 40));
}

TEST_CASE("a status of another library is described by its code") {
  for (int code = 1; code <= 16; ++code) {
    const ErrorDetails details =
        DescribeError(absl::Status(static_cast<absl::StatusCode>(code), "foreign"));
    CHECK(details.reason == "foreign");
    CHECK_FALSE(details.type.empty());
    CHECK(details.rest_status >= 400);
  }
  CHECK(DescribeError(absl::NotFoundError("x")).rest_status == 404);
}

TEST_CASE("clipping ends at a character border") {
  CHECK(Clip("short") == "short");
  CHECK(Clip("abcdef", 6) == "abcdef");
  CHECK(Clip("abcdefg", 6) == "abcdef...");
  const std::string text = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80z";  // a, a-umlaut, euro, face, z
  CHECK(Clip(text, 2) == "a...");
  CHECK(Clip(text, 3) == "a\xc3\xa4...");
  CHECK(Clip(text, 5) == "a\xc3\xa4...");
  CHECK(Clip(text, 9) == "a\xc3\xa4\xe2\x82\xac...");
  CHECK(Clip(text, 10) == text.substr(0, 10) + "...");
  CHECK(Clip(std::string(300, '\x80')).size() == 259);
  CHECK(Clip(std::string(1000, 'x')) == std::string(256, 'x') + "...");
}

absl::StatusOr<int> Half(int n) {
  if (n % 2 != 0) return IllegalArgument("odd");
  return n / 2;
}
absl::Status Quarter(int n, int& out) {
  CURLEW_ASSIGN_OR_RETURN(const int half, Half(n));
  CURLEW_ASSIGN_OR_RETURN(out, Half(half));
  CURLEW_RETURN_IF_ERROR(Half(out * 2).status());
  return absl::OkStatus();
}

TEST_CASE("the macros return the first error") {
  int out = 0;
  CHECK(Quarter(8, out).ok());
  CHECK(out == 2);
  CHECK(DescribeError(Quarter(6, out)).reason == "odd");
  CHECK_FALSE(Quarter(3, out).ok());
}

}  // namespace
}  // namespace curlew
