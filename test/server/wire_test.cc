#include "server/wire.h"

#include <grpcpp/support/slice.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "engine/util/error.h"
#include "protos/opensearch/search_request.pb.h"
#include "test/support/random.h"

namespace curlew::server {
namespace {

using org::opensearch::protobufs::SearchRequest;

// `bytes` cut into slices at random.
grpc::ByteBuffer Cut(const std::string& bytes, curlew::test::Random& random) {
  std::vector<grpc::Slice> slices;
  for (size_t at = 0; at < bytes.size();) {
    const auto n = static_cast<size_t>(
        random.Between(1, std::min<int64_t>(40, static_cast<int64_t>(bytes.size() - at))));
    slices.emplace_back(bytes.data() + at, n);
    at += n;
  }
  if (slices.empty()) slices.emplace_back();
  return grpc::ByteBuffer(slices.data(), slices.size());
}

std::string Flat(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  REQUIRE(buffer.Dump(&slices).ok());
  std::string flat;
  for (const grpc::Slice& slice : slices) {
    flat.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return flat;
}

TEST_CASE("a message survives the way through byte buffers, however they are cut") {
  curlew::test::Random random;
  INFO("seed " << random.seed());
  for (int round = 0; round < 200; ++round) {
    SearchRequest request;
    for (int i = 0, n = static_cast<int>(random.Between(0, 20)); i < n; ++i) {
      request.add_index(random.Word(0, 30));
    }
    const auto serialized = SerializeMessage(request);
    REQUIRE(serialized.ok());
    grpc::Slice single;
    CHECK(serialized->TrySingleSlice(&single).ok());
    CHECK(Flat(*serialized) == request.SerializeAsString());

    SearchRequest from_one;
    SearchRequest from_many;
    REQUIRE(ParseMessage(*serialized, from_one).ok());
    const grpc::ByteBuffer cut = Cut(request.SerializeAsString(), random);
    REQUIRE(ParseMessage(cut, from_many).ok());
    CHECK(from_one.SerializeAsString() == request.SerializeAsString());
    CHECK(from_many.SerializeAsString() == request.SerializeAsString());
    CHECK(cut.Length() == request.ByteSizeLong());  // reading does not use it up
  }
}

TEST_CASE(
    "what does not parse is refused with the message's name, and the field's where it is text") {
  curlew::test::Random random;
  SearchRequest request;
  CHECK(DescribeError(ParseMessage(Cut("\x0a\x05xy", random), request)).reason ==
        "the 4 bytes of the request are not a org.opensearch.protobufs.SearchRequest message: "
        "truncated or malformed protobuf, or nested more than 1000 deep");
  const std::string reason =
      DescribeError(ParseMessage(Cut("\x0a\x02\xff\xfe", random), request)).reason;
  INFO(reason);
  CHECK(reason.find("org.opensearch.protobufs.SearchRequest.index") != std::string::npos);
  CHECK(reason.find("UTF-8") != std::string::npos);
}

// `levels` queries inside each other, the innermost one empty.
SearchRequest Nested(int levels) {
  SearchRequest request;
  auto* query = request.mutable_search_request_body()->mutable_query();
  for (int i = 0; i < levels; ++i) query = query->mutable_constant_score()->mutable_filter();
  return request;
}

TEST_CASE("messages may be nested deeper than any query, but not without end") {
  curlew::test::Random random;
  const std::string deep = Nested(490).SerializeAsString();
  for (const bool whole : {true, false}) {
    SearchRequest parsed;
    grpc::Slice slice(deep);
    const auto buffer = whole ? grpc::ByteBuffer(&slice, 1) : Cut(deep, random);
    REQUIRE(ParseMessage(buffer, parsed).ok());
    CHECK(parsed.SerializeAsString() == deep);
  }
  SearchRequest parsed;
  const std::string endless = Nested(510).SerializeAsString();
  CHECK(DescribeError(ParseMessage(Cut(endless, random), parsed)).reason.find("1000 deep") !=
        std::string::npos);
}

TEST_CASE("a check is asked all the way, and stops the parsing") {
  SearchRequest request;
  while (request.ByteSizeLong() < 10 * kParsedPiece) request.add_index(std::string(50, 'x'));
  const auto bytes = SerializeMessage(request);
  REQUIRE(bytes.ok());
  std::vector<int64_t> asked;
  SearchRequest parsed;
  REQUIRE(ParseMessage(*bytes, parsed, [&](int64_t at) {
            asked.push_back(at);
            return absl::OkStatus();
          }).ok());
  CHECK(parsed.SerializeAsString() == request.SerializeAsString());
  REQUIRE(asked.size() >= 10);
  for (size_t i = 1; i < asked.size(); ++i) CHECK(asked[i] - asked[i - 1] <= kParsedPiece);

  parsed.Clear();
  const absl::Status status = ParseMessage(*bytes, parsed, [](int64_t at) {
    return at < 3 * kParsedPiece ? absl::OkStatus() : absl::ResourceExhaustedError("enough");
  });
  CHECK(status == absl::ResourceExhaustedError("enough"));
  CHECK(parsed.index_size() < request.index_size() / 2);
}

TEST_CASE("random bytes never do worse than an error") {
  curlew::test::Random random;
  INFO("seed " << random.seed());
  int parsed = 0;
  for (int round = 0; round < 2000; ++round) {
    SearchRequest request;
    const std::string bytes = random.Bytes(0, 60);
    const absl::Status status = ParseMessage(Cut(bytes, random), request);
    SearchRequest by_protobuf;
    CHECK(status.ok() == by_protobuf.ParseFromString(bytes));
    parsed += status.ok();
  }
  CHECK(parsed < 2000);
}

TEST_CASE("the pieces of a response become the slices themselves") {
  proto_utils::ResponseBuffer response;
  std::vector<std::string_view> views;
  for (const char fill : {'x', 'y'}) {
    auto* base = static_cast<char*>(std::malloc(100));
    std::memset(base, fill, 100);
    views.emplace_back(base + 10, 50);
    response.Append({base, views.back()});
  }
  response.Append({static_cast<char*>(std::malloc(1)), {}});
  const grpc::ByteBuffer buffer = WrapResponse(std::move(response));
  std::vector<grpc::Slice> slices;
  REQUIRE(buffer.Dump(&slices).ok());
  REQUIRE(slices.size() == 2);
  for (size_t i = 0; i < 2; ++i) {
    CHECK(slices[i].size() == 50);
    CHECK(reinterpret_cast<const char*>(slices[i].begin()) == views[i].data());
  }
  CHECK(WrapResponse(proto_utils::ResponseBuffer()).Length() == 0);
}

}  // namespace
}  // namespace curlew::server
