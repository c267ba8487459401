// The line that shows how far a load has come.
#include "cli/progress.h"

#include <catch2/catch.hpp>

namespace curlew::cli {
namespace {

using Seconds = std::chrono::duration<double>;

TEST_CASE("the bar fills with the bytes") {
  CHECK(Progress::Render(0, 1000, 0, Seconds(1), 60) ==
        "[>                                   ]   0% 0 documents, 0/s");
  CHECK(Progress::Render(500, 1000, 50, Seconds(2), 60) ==
        "[============>           ]  50% 50 documents, 25/s, 2 s left");
  CHECK(Progress::Render(1000, 1000, 100, Seconds(4), 60) ==
        "[=================================] 100% 100 documents, 25/s");
  // Never wider than so many cells.
  CHECK(Progress::Render(1000, 1000, 1, Seconds(1), 500).size() == 42 + 22);
}

TEST_CASE("what is drawn fits the width") {
  for (size_t width = 1; width < 200; ++width) {
    for (const uint64_t bytes : {0, 1, 333, 999, 1000, 2000}) {
      const std::string line = Progress::Render(bytes, 1000, bytes * 7, Seconds(3), width);
      INFO(width << " " << line);
      if (line[0] == '[') CHECK(line.size() <= width);
    }
  }
}

TEST_CASE("without a size only counts are shown") {
  CHECK(Progress::Render(123, 0, 10, Seconds(2), 80) == "10 documents, 5/s");
  CHECK(Progress::Render(0, 0, 0, Seconds(0), 80) == "0 documents, 0/s");
}

TEST_CASE("a narrow terminal gets no bar") {
  CHECK(Progress::Render(500, 1000, 50, Seconds(2), 20) == " 50% 50 documents, 25/s, 2 s left");
}

TEST_CASE("more bytes than expected are all there are") {
  CHECK(Progress::Render(5000, 1000, 50, Seconds(2), 60).find("100%") != std::string::npos);
}

}  // namespace
}  // namespace curlew::cli
