// Answers as people read them.
#include "cli/search_output.h"

#include <catch2/catch.hpp>

#include "protos/opensearch/errors.pb.h"
#include "protos/opensearch/search_response.pb.h"

namespace curlew::cli {
namespace {

namespace os = org::opensearch::protobufs;

os::SearchResponse Response(int64_t total) {
  os::SearchResponse response;
  response.set_took(3);
  response.mutable_x_shards()->set_total(2);
  response.mutable_x_shards()->set_successful(2);
  auto& hits = *response.mutable_hits()->mutable_total()->mutable_total_hits();
  hits.set_value(total);
  hits.set_relation(os::TOTAL_HITS_RELATION_EQ);
  return response;
}

os::HitsMetadataHitsInner& AddHit(os::SearchResponse& response, const std::string& id,
                                  const std::string& source) {
  auto& hit = *response.mutable_hits()->add_hits();
  hit.set_x_index("films");
  hit.set_x_id(id);
  if (!source.empty()) hit.set_x_source(source);
  return hit;
}

TEST_CASE("the head line counts hits and shards") {
  CHECK(FormatSearchResponse(Response(0), 0) == "0 hits in 3 ms (2 of 2 shards)\n");
  CHECK(FormatSearchResponse(Response(1), 0) == "1 hit in 3 ms (2 of 2 shards)\n");
  os::SearchResponse more = Response(10000);
  more.mutable_hits()->mutable_total()->mutable_total_hits()->set_relation(
      os::TOTAL_HITS_RELATION_GTE);
  CHECK(FormatSearchResponse(more, 0) == "at least 10000 hits in 3 ms (2 of 2 shards)\n");
  os::SearchResponse uncounted = Response(1);
  uncounted.mutable_hits()->clear_total();
  CHECK(FormatSearchResponse(uncounted, 0) == "hits (not counted) in 3 ms (2 of 2 shards)\n");
}

TEST_CASE("hits show rank, score, id and the members of the source") {
  os::SearchResponse response = Response(2);
  AddHit(response, "a", R"({"title":"One","year":1999,"cast":[ "x", 1.50 ],"note":"two\nlines"})")
      .mutable_x_score()
      ->set_double_(1.23456);
  AddHit(response, "b", "").mutable_x_score()->set_null_value(os::NULL_VALUE_NULL);
  CHECK(FormatSearchResponse(response, 10) ==
        "2 hits in 3 ms (2 of 2 shards)\n"
        "  11.  1.2346  films/a\n"
        "      title  One\n"
        "      year   1999\n"
        "      cast   [\"x\",1.50]\n"
        "      note   two lines\n"
        "  12.  films/b\n");
}

TEST_CASE("sorted hits show what they are sorted by") {
  os::SearchResponse response = Response(1);
  auto& hit = AddHit(response, "a", "");
  hit.add_sort()->mutable_general_number()->set_int64_value(-7);
  hit.add_sort()->mutable_general_number()->set_double_value(0.5);
  hit.add_sort()->set_string("word");
  hit.add_sort()->set_bool_(true);
  hit.add_sort()->set_null_value(os::NULL_VALUE_NULL);
  CHECK(FormatSearchResponse(response, 0) ==
        "1 hit in 3 ms (2 of 2 shards)\n   1.  -7, 0.5, word, true, null  films/a\n");
}

TEST_CASE("long values are cut, and sources that are no objects shown as they are") {
  os::SearchResponse response = Response(2);
  AddHit(response, "a", "{\"text\":\"" + std::string(5000, 'x') + "\"}");
  AddHit(response, "b", "\x81\xa1 not JSON");
  const std::string text = FormatSearchResponse(response, 0);
  CHECK(text.size() < 500);
  CHECK(text.find("not JSON") != std::string::npos);
}

TEST_CASE("failures of shards are shown") {
  os::SearchResponse response = Response(0);
  response.mutable_x_shards()->set_successful(1);
  auto& failure = *response.mutable_x_shards()->add_failures_2();
  failure.set_shard(1);
  failure.set_index("films");
  failure.mutable_reason()->set_reason("it is damaged");
  CHECK(FormatSearchResponse(response, 0) ==
        "0 hits in 3 ms (1 of 2 shards)\n  shard 1 of films failed: it is damaged\n");
}

}  // namespace
}  // namespace curlew::cli
