#include "engine/translog/operation.h"

#include <limits>

#include "test/engine/translog/log_fixture.h"

namespace curlew::translog {
namespace {

TEST_CASE("operations are read back as written") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int round = 0; round < 500; ++round) {
    const OwnedOperation operation = RandomOperation(random, round - 1);
    std::string payload;
    EncodeOperation(operation.View(), payload);
    const auto read = DecodeOperation(payload);
    REQUIRE(read.ok());
    REQUIRE(OwnedOperation::Of(*read) == operation);
  }
}

TEST_CASE("extreme numbers are kept") {
  for (const int64_t v :
       {std::numeric_limits<int64_t>::min(), int64_t{-1}, std::numeric_limits<int64_t>::max()}) {
    OwnedOperation operation{Operation::Kind::kNoop, v, v, v, "", "", ""};
    std::string payload;
    EncodeOperation(operation.View(), payload);
    CHECK(OwnedOperation::Of(DecodeOperation(payload).value()) == operation);
  }
}

TEST_CASE("a payload that is cut, extended or of no kind is corrupt") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  std::string payload;
  EncodeOperation(RandomOperation(random, 5).View(), payload);
  for (size_t length = 0; length < payload.size(); ++length) {
    const std::vector<char> cut(payload.begin(),
                                payload.begin() + static_cast<std::ptrdiff_t>(length));
    REQUIRE(DecodeOperation({cut.data(), cut.size()}).status().code() ==
            absl::StatusCode::kDataLoss);
  }
  CHECK_FALSE(DecodeOperation(payload + "x").ok());
  for (const int kind : {0, 4, 255}) {
    payload[0] = static_cast<char>(kind);
    CHECK(DecodeOperation(payload).status().code() == absl::StatusCode::kDataLoss);
  }
}

TEST_CASE("random bytes never do harm") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int round = 0; round < 5000; ++round) {
    const std::string payload = random.Bytes(0, 60);
    const std::vector<char> exact(payload.begin(), payload.end());
    DecodeOperation({exact.data(), exact.size()}).status().IgnoreError();
  }
}

}  // namespace
}  // namespace curlew::translog
