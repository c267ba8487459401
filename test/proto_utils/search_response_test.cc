// Whole search responses: equal to the generated message, with few and many hits and failures.
#include <catch2/catch.hpp>

#include <google/protobuf/util/message_differencer.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <limits>
#include <string>

#include "engine/util/error.h"
#include "proto_utils/response/hit_converter.h"
#include "proto_utils/response/message_hit_sink.h"
#include "proto_utils/response/search_head.h"
#include "proto_utils/response/search_response.h"
#include "protos/opensearch/search_response.pb.h"
#include "test/proto_utils/random_hit.h"

namespace curlew {
namespace {

using google::protobuf::util::MessageDifferencer;
using org::opensearch::protobufs::SearchResponse;
using proto_utils::ResponseBuffer;
using proto_utils::SearchTimes;

SearchResponse ByMessage(const search::SearchResult& result, const SearchTimes& times,
                         const std::deque<test::OwnedHit>& hits) {
  SearchResponse response;
  proto_utils::FillHead(result, times, response);
  proto_utils::FillTotal(result, *response.mutable_hits()->mutable_total());
  proto_utils::FillMaxScore(result, *response.mutable_hits()->mutable_max_score());
  for (const test::OwnedHit& hit : hits) {
    proto_utils::MessageHitSink sink(*response.mutable_hits()->add_hits());
    proto_utils::FillHit(hit.hit, sink);
  }
  return response;
}

std::string BytesOf(const ResponseBuffer& buffer) {
  std::string bytes;
  for (const auto& piece : buffer.pieces()) bytes += piece.bytes;
  return bytes;
}

// `announced`: how many hits OnStart tells of beyond those that come; wrong guesses must only cost
// memory.
ResponseBuffer ByWriter(const search::SearchResult& result, const SearchTimes& times,
                        const std::deque<test::OwnedHit>& hits, int64_t announced = 0,
                        size_t parts = 1) {
  const auto writer = proto_utils::SearchResponseWriter::Create();
  writer->Begin(parts);
  for (size_t part = parts; part-- > 0;) {  // in any order
    const size_t begin = hits.size() * part / parts;
    const size_t end = hits.size() * (part + 1) / parts;
    const int64_t count = static_cast<int64_t>(end - begin) + announced;
    writer->part(part).OnStart(static_cast<uint64_t>(std::max<int64_t>(0, count)));
    for (size_t i = begin; i < end; ++i) writer->part(part).OnHits({&hits[i].hit, 1});
  }
  ResponseBuffer buffer;
  const absl::Status status = writer->Finish(result, times, buffer);
  REQUIRE(status.ok());
  return buffer;
}

search::SearchResult RandomResult(test::Random& random) {
  search::SearchResult result;
  result.track_total = !random.OneIn(4);
  result.total = {test::RandomNumber(random), random.OneIn(2)};
  if (random.OneIn(2)) result.max_score = static_cast<float>(random.Unit());
  result.total_shards = static_cast<int>(random.Between(0, 5));
  result.successful_shards = result.total_shards;
  const int64_t failures = random.OneIn(3) ? random.Between(1, 40) : 0;
  for (int i = 0; i < failures; ++i) {
    result.failures.push_back(
        {random.Word(1, 5), i, QueryShardError("failed to create query: " + random.Word(1, 200))});
  }
  return result;
}

TEST_CASE("random responses read back equal to the message") {
  test::Random random;
  CAPTURE(random.seed());
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    std::deque<test::OwnedHit> hits(random.OneIn(10) ? random.Between(100, 400)
                                                     : random.Between(0, 12));
    for (auto& hit : hits) test::MakeHit(random, hit);
    const search::SearchResult result = RandomResult(random);
    SearchTimes times;
    times.took = random.Between(0, 1000000);
    if (random.OneIn(3)) times.phases = {random.Between(0, 100), random.Between(0, 100)};
    const int64_t announced = random.OneIn(3) ? 0 : random.Between(-100, 100);

    const auto parts = static_cast<size_t>(random.OneIn(2) ? 1 : random.Between(1, 9));
    const ResponseBuffer buffer = ByWriter(result, times, hits, announced, parts);
    SearchResponse read;
    REQUIRE(read.ParseFromString(BytesOf(buffer)));
    const SearchResponse expected = ByMessage(result, times, hits);
    const bool equal = MessageDifferencer::Equals(read, expected);
    REQUIRE(equal);
    // Nothing besides, such as a length with needless bytes.
    REQUIRE(buffer.size() == expected.ByteSizeLong());
  }
}

TEST_CASE("a writer that is never told of hits gives an empty response") {
  const auto writer = proto_utils::SearchResponseWriter::Create();
  ResponseBuffer buffer;
  search::SearchResult result;
  result.total_shards = result.successful_shards = 1;
  REQUIRE(writer->Finish(result, {}, buffer).ok());
  SearchResponse read;
  REQUIRE(read.ParseFromString(BytesOf(buffer)));
  CHECK(read.hits().hits().empty());
  CHECK(read.hits().total().total_hits().value() == 0);
  CHECK(read.hits().max_score().has_null_value());
  CHECK(read.x_shards().has_skipped());
}

TEST_CASE("a response takes no more memory than it may") {
  test::Random random;
  CAPTURE(random.seed());
  std::deque<test::OwnedHit> hits(1000);
  for (auto& hit : hits) test::MakeHit(random, hit);
  search::SearchResult result;
  const size_t whole = ByWriter(result, {}, hits, 0, 4).size();
  for (const size_t room : {size_t{0}, whole / 2, whole * 8}) {
    std::atomic<int64_t> charged{0};
    const auto writer = proto_utils::SearchResponseWriter::Create([&](int64_t bytes) {
      return charged.fetch_add(bytes) + bytes <= static_cast<int64_t>(room);
    });
    writer->Begin(4);
    bool taken = true;
    for (size_t i = 0; i < hits.size() && taken; ++i) {
      auto& part = writer->part(i / 250);
      if (i % 250 == 0) part.OnStart(250);
      taken = part.OnHits({&hits[i].hit, 1});
    }
    ResponseBuffer buffer;
    const absl::Status status = writer->Finish(result, {}, buffer);
    CHECK(taken == (room > whole));
    CHECK(status.ok() == (room > whole));
    if (!status.ok()) CHECK(absl::IsResourceExhausted(status));
    if (status.ok()) CHECK(charged.load() >= static_cast<int64_t>(whole));
  }
}

TEST_CASE("a response takes little more memory than it has bytes") {
  // One hit of all 4,000 is large, the first of a part or another one.
  for (const size_t large : {0, 1, 999, 1500, 3999}) {
    std::deque<test::OwnedHit> hits(4000);
    for (size_t i = 0; i < hits.size(); ++i) {
      hits[i].id = std::to_string(1000 + i);
      hits[i].source = std::string(i == large ? 3 << 20 : 60, 's');
      hits[i].hit.id = hits[i].id;
      hits[i].hit.source = hits[i].source;
    }
    std::atomic<int64_t> charged{0};
    const auto writer = proto_utils::SearchResponseWriter::Create([&](int64_t bytes) {
      charged.fetch_add(bytes);
      return true;
    });
    writer->Begin(4);
    for (size_t i = 0; i < hits.size(); ++i) {
      auto& part = writer->part(i / 1000);
      if (i % 1000 == 0) part.OnStart(1000);
      REQUIRE(part.OnHits({&hits[i].hit, 1}));
    }
    ResponseBuffer buffer;
    REQUIRE(writer->Finish({}, {}, buffer).ok());
    SearchResponse read;
    REQUIRE(read.ParseFromString(BytesOf(buffer)));
    REQUIRE(read.hits().hits_size() == 4000);
    CHECK(read.hits().hits(static_cast<int>(large)).x_source().size() == 3 << 20);
    CHECK(charged.load() < static_cast<int64_t>(buffer.size() + (1 << 20)));
  }
}

TEST_CASE("what a response says of totals, scores and shards") {
  search::SearchResult result;
  result.total_shards = 3;
  result.successful_shards = 1;
  result.total = {7, false};
  result.max_score = 1.5f;
  const absl::Status cause = WithMetadata(QueryShardError("bad"), "index_uuid", "u");
  result.failures = {{"a", 0, cause}, {"a", 1, cause}};
  SearchResponse response = ByMessage(result, {}, {});
  CHECK(response.hits().total().total_hits().relation() ==
        org::opensearch::protobufs::TOTAL_HITS_RELATION_GTE);
  CHECK(response.hits().max_score().float_() == 1.5f);
  for (const float score : {std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity(), std::nanf("")}) {
    result.max_score = score;
    CHECK(ByMessage(result, {}, {}).hits().max_score().has_null_value());
  }
  result.max_score = 1.5f;
  CHECK(response.x_shards().total() == 3);
  CHECK(response.x_shards().successful() == 1);
  CHECK(response.x_shards().failed() == 2);
  CHECK(response.x_shards().has_skipped());
  CHECK(response.x_shards().skipped() == 0);
  // Both failed for one reason: one entry, in each of the two fields.
  REQUIRE(response.x_shards().failures_2_size() == 1);
  CHECK(response.x_shards().failures_2(0).index() == "a");
  CHECK(response.x_shards().failures_2(0).reason().type() == "query_shard_exception");
  CHECK(response.x_shards().failures_2(0).reason().metadata().fields().at("index_uuid").string() ==
        "u");
  CHECK_FALSE(response.has_phase_took());

  result.track_total = false;
  response = ByMessage(result, {}, {});
  CHECK(response.hits().has_total());
  CHECK_FALSE(response.hits().total().has_total_hits());

  search::SearchResult nothing;
  CHECK(ByMessage(nothing, {}, {}).hits().max_score().has_float_());
}

TEST_CASE("a buffer changes hands once") {
  search::SearchResult result;
  ResponseBuffer first = ByWriter(result, {}, {});
  const std::string bytes = BytesOf(first);
  ResponseBuffer second = std::move(first);
  CHECK(first.size() == 0);
  CHECK(BytesOf(second) == bytes);
  const std::vector<ResponseBuffer::Piece> pieces = second.Release();
  REQUIRE(pieces.size() == 1);
  CHECK(pieces[0].bytes == bytes);
  CHECK(second.size() == 0);
  std::free(pieces[0].base);
}

}  // namespace
}  // namespace curlew
