// The hash of texts from outside: nobody can choose texts that collide.
#include "engine/util/text_hash.h"

#include <catch2/catch.hpp>
#include <set>

#include "test/support/colliding_names.h"
#include "test/support/random.h"

namespace curlew {
namespace {

TEST_CASE("names that collide under std::hash do not under ours") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const std::vector<std::string> names = test::CollidingNames(random, 300);
  std::set<size_t> known;
  std::set<uint64_t> ours;
  std::set<uint64_t> slots;  // in a table of 1,024
  for (const std::string& name : names) {
    known.insert(std::hash<std::string_view>()(name));
    ours.insert(HashText(name));
    slots.insert(HashText(name) % 1024);
  }
  REQUIRE(known.size() == 1);
  CHECK(ours.size() == std::set<std::string>(names.begin(), names.end()).size());
  CHECK(slots.size() > 200);  // 260 are expected
  CHECK(TextHash()(names[0]) == HashText(names[0]));
}

TEST_CASE("texts of every length hash by all their bytes") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (size_t length = 0; length < 40; ++length) {
    std::string text(length, 'x');
    const uint64_t hash = HashText(text);
    REQUIRE(HashText(std::string(text)) == hash);
    REQUIRE(HashText(text + "x") != hash);
    REQUIRE(HashText(text + std::string(1, '\0')) != hash);
    for (char& c : text) {
      c = 'y';
      REQUIRE(HashText(text) != hash);
      c = 'x';
    }
  }
}

}  // namespace
}  // namespace curlew
