#include "engine/index/tombstones.h"

#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "test/support/random.h"

namespace curlew::index {
namespace {

TEST_CASE("tombstones are found until they are erased or old", "[index]") {
  test::Random random;
  CAPTURE(random.seed());
  const Tombstones::Clock::time_point start;
  Tombstones tombstones;
  std::map<std::string, std::pair<int64_t, int>> model;  // id -> seq_no, time
  int now = 0;
  for (int round = 0; round < 20000; ++round) {
    now += static_cast<int>(random.Between(0, 2));
    const std::string id = "id-" + std::to_string(random.Between(0, 300));
    const int64_t choice = random.Between(0, 9);
    if (choice < 5) {
      tombstones.Put(id, {round, 1, 2}, start + std::chrono::seconds(now));
      model[id] = {round, now};
    } else if (choice < 9) {
      tombstones.Erase(id);
      model.erase(id);
    } else {
      const int before = now - static_cast<int>(random.Between(0, 100));
      tombstones.PruneBefore(start + std::chrono::seconds(before));
      std::erase_if(model, [&](const auto& entry) { return entry.second.second < before; });
    }
    REQUIRE(tombstones.size() == model.size());
    const std::string asked = "id-" + std::to_string(random.Between(0, 300));
    const DocumentMeta* found = tombstones.Find(asked);
    const auto it = model.find(asked);
    REQUIRE((found != nullptr) == (it != model.end()));
    if (found != nullptr) REQUIRE(found->seq_no == it->second.first);
  }
}

}  // namespace
}  // namespace curlew::index
