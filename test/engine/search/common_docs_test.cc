#include "engine/search/block/common_docs.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <iterator>
#include <set>
#include <vector>

#include "test/support/random.h"

namespace curlew::search {
namespace {

std::vector<codec::DocId> RandomDocs(test::Random& random, size_t count, int64_t spread) {
  std::set<codec::DocId> docs;
  while (docs.size() < count) {
    docs.insert(static_cast<codec::DocId>(random.Between(0, static_cast<int64_t>(count) * spread)));
  }
  return {docs.begin(), docs.end()};
}

void Check(std::vector<codec::DocId> a, std::vector<codec::DocId> b) {
  std::vector<codec::DocId> expected;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
  const auto a_count = static_cast<uint32_t>(a.size());
  const auto b_count = static_cast<uint32_t>(b.size());
  a.insert(a.end(), kCommonDocsSlack, 0xffffffff);
  b.insert(b.end(), kCommonDocsSlack, codec::kNoMoreDocs);
  std::array<uint8_t, 256> a_places, b_places;
  const uint32_t count =
      CommonDocs(a.data(), a_count, b.data(), b_count, a_places.data(), b_places.data());
  REQUIRE(count == expected.size());
  for (uint32_t i = 0; i < count; ++i) {
    REQUIRE(a_places[i] < a_count);
    REQUIRE(b_places[i] < b_count);
    REQUIRE(a[a_places[i]] == expected[i]);
    REQUIRE(b[b_places[i]] == expected[i]);
  }
}

TEST_CASE("common documents are those of a set intersection, in order") {
  test::Random random;
  CAPTURE(random.seed());
  constexpr std::array<size_t, 10> kSizes = {1, 2, 3, 4, 5, 7, 8, 127, 128, 256};
  for (const size_t a : kSizes) {
    for (const size_t b : kSizes) {
      for (const int64_t spread : {1, 2, 3, 40}) {
        Check(RandomDocs(random, a, spread), RandomDocs(random, b, spread));
        Check(RandomDocs(random, a, spread), RandomDocs(random, b, 3 * spread));
      }
    }
  }
}

TEST_CASE("runs that do not meet share nothing, equal ones everything") {
  std::vector<codec::DocId> low(128), high(100);
  for (uint32_t i = 0; i < low.size(); ++i) low[i] = i;
  for (uint32_t i = 0; i < high.size(); ++i) high[i] = codec::kNoMoreDocs - 101 + i;
  Check(low, high);
  Check(high, low);
  Check(low, low);
  Check(high, high);
  Check({}, low);
  Check(low, {});
}

}  // namespace
}  // namespace curlew::search
