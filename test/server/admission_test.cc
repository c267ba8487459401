#include "server/admission.h"

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "server/arena_block.h"
#include "server/logging.h"

namespace curlew::server {
namespace {

TEST_CASE("admission counts to its limit and not beyond") {
  Admission admission(100);
  CHECK(admission.TryTake(60));
  CHECK(!admission.TryTake(41));
  CHECK(admission.stats().bytes == 60);
  CHECK(admission.TryTake(40));
  CHECK(!admission.TryTake(1));
  admission.Take(500);  // a response that exists counts in any case
  CHECK(admission.stats().bytes == 600);
  admission.Give(600);
  CHECK(admission.TryTake(100));
}

TEST_CASE("arena blocks are used again, and not hoarded") {
  std::vector<std::unique_ptr<ArenaBlock>> blocks;
  for (size_t i = 0; i < ArenaBlock::kMostKept + 5; ++i) {
    blocks.push_back(std::make_unique<ArenaBlock>());
    blocks.back()->data()[ArenaBlock::kSize - 1] = 'x';
  }
  CHECK(ArenaBlock::kept() == 0);
  char* const last = blocks.back()->data();
  blocks.pop_back();
  CHECK(ArenaBlock::kept() == 1);
  {
    ArenaBlock again;
    CHECK(again.data() == last);
  }
  blocks.clear();
  CHECK(ArenaBlock::kept() == ArenaBlock::kMostKept);
}

TEST_CASE("log messages stay inside their JSON string") {
  CHECK(EscapeJson("a \"b\" \\ \n \x01 \xc3\xa4") == "a \\\"b\\\" \\\\ \\n \\u0001 \xc3\xa4");
}

}  // namespace
}  // namespace curlew::server
