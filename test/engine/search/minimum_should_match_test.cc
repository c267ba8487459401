#include "engine/search/query/minimum_should_match.h"

#include <catch2/catch.hpp>

namespace curlew::search {
namespace {

TEST_CASE("minimum_should_match is read as OpenSearch reads it", "[search]") {
  struct Row {
    int clauses;
    const char* spec;
    int expected;
  };
  const Row row =
      GENERATE(Row{4, "0", 0}, Row{4, "2", 2}, Row{4, " 2 ", 2}, Row{4, "7", 7}, Row{4, "-1", 3},
               Row{4, "-5", 0}, Row{4, "75%", 3}, Row{3, "75%", 2}, Row{4, "-25%", 3},
               Row{3, "-25%", 3}, Row{4, "100%", 4}, Row{4, "150%", 6}, Row{4, "-150%", 0},
               Row{4, "1%", 0}, Row{2, "2<75%", 2}, Row{4, "2<75%", 3}, Row{3, "3<2", 3},
               Row{4, "3<2", 2}, Row{4, "3<-1", 3}, Row{4, "2<1 3<3", 3}, Row{3, "2<1 3<3", 1},
               Row{4, "2 < 3", 3}, Row{0, "1", 1}, Row{4, "2147483647", 2147483647});
  CAPTURE(row.clauses, row.spec);
  const auto result = MinimumShouldMatch(row.clauses, row.spec);
  REQUIRE(result.ok());
  CHECK(*result == row.expected);
}

TEST_CASE("a minimum_should_match that is no number is refused", "[search]") {
  const char* spec = GENERATE("", "x", "abc", "%", "1.5", "2<", "<2", "2<x", "5 6", "99999999999");
  CAPTURE(spec);
  const auto result = MinimumShouldMatch(4, spec);
  REQUIRE_FALSE(result.ok());
  CHECK(absl::IsInvalidArgument(result.status()));
}

}  // namespace
}  // namespace curlew::search
