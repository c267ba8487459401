#include "engine/analysis/stop_filter.h"

#include <catch2/catch.hpp>

#include "engine/analysis/whitespace_tokenizer.h"
#include "test/engine/analysis/token_support.h"

namespace curlew::analysis {

TEST_CASE("stop filter leaves holes in the positions") {
  StopFilter filter(std::make_unique<WhitespaceTokenizer>(), EnglishStopWords());
  const std::string text = "the quick and the fox is a";
  const auto tokens = Collect(filter, text);
  REQUIRE(tokens.size() == 2);
  CHECK(tokens[0].term == "quick");
  CHECK(tokens[0].position == 1);
  CHECK(tokens[1].term == "fox");
  CHECK(tokens[1].position == 4);
  CHECK(filter.trailing_positions() == 2);

  CHECK(Collect(filter, "fox").size() == 1);
  CHECK(filter.trailing_positions() == 0);
  CHECK(Collect(filter, "the the the").empty());
  CHECK(filter.trailing_positions() == 3);
  CHECK(Collect(filter, "").empty());
  CHECK(filter.trailing_positions() == 0);
}

TEST_CASE("stop filters add up their holes") {
  auto lower =
      std::make_unique<StopFilter>(std::make_unique<WhitespaceTokenizer>(), EnglishStopWords());
  StopFilter upper(std::move(lower),
                   std::make_shared<StopWords>(std::vector<std::string>{"foo", "bar"}));
  const auto tokens = Collect(upper, "the foo end of bar the");
  REQUIRE(tokens.size() == 1);
  CHECK(tokens[0].term == "end");
  CHECK(tokens[0].position == 2);
  CHECK(upper.trailing_positions() == 3);
}

TEST_CASE("stop words") {
  const auto words = EnglishStopWords();
  CHECK(words->size() == 33);
  for (const char* word : {"a", "the", "their", "with", "will"}) CHECK(words->Contains(word));
  for (const char* word : {"", "The", "I", "ther", "theirs", "he", "from", "would"}) {
    CHECK_FALSE(words->Contains(word));
  }
  CHECK(StopWords({""}).Contains(""));
  CHECK_FALSE(StopWords({}).Contains(""));
}

}  // namespace curlew::analysis
