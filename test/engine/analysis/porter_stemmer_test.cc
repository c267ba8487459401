#include "engine/analysis/porter_stemmer.h"

#include <zstd.h>

#include <catch2/catch.hpp>
#include <map>

#include "engine/analysis/porter_stem_filter.h"
#include "engine/analysis/possessive_filter.h"
#include "engine/analysis/whitespace_tokenizer.h"
#include "test/engine/analysis/token_support.h"

namespace curlew::analysis {
namespace {

std::string Unpack(const std::string& path) {
  std::ifstream in(std::string(CURLEW_SOURCE_DIR) + "/test/data/" + path, std::ios::binary);
  std::ostringstream packed;
  packed << in.rdbuf();
  const std::string bytes = packed.str();
  std::string text(4 << 20, '\0');
  const size_t size = ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0) throw std::runtime_error("cannot unpack " + path);
  text.resize(size);
  return text;
}

std::string Stem(std::string word) {
  PorterStem(word);
  return word;
}

}  // namespace

// Snowball's vocabulary; porter-departures.tsv has the words that Lucene 10.3.2 stems differently.
TEST_CASE("Porter stems of Snowball's vocabulary") {
  std::map<std::string, std::string> departures;
  for (const std::string& line : ReadLines("conformance/porter-departures.tsv")) {
    const size_t tab = line.find('\t');
    departures[line.substr(0, tab)] = line.substr(tab + 1);
  }
  CHECK(departures.size() == 67);
  std::istringstream in(Unpack("conformance/snowball-porter.tsv.zst"));
  int words = 0;
  for (std::string line; std::getline(in, line); ++words) {
    const size_t tab = line.find('\t');
    const std::string word = line.substr(0, tab);
    const auto departure = departures.find(word);
    const std::string expected =
        departure == departures.end() ? line.substr(tab + 1) : departure->second;
    if (Stem(word) != expected) FAIL(word << ": " << Stem(word) << " and not " << expected);
  }
  CHECK(words == 42603);
}

TEST_CASE("Porter stems at the edges") {
  CHECK(Stem("").empty());
  CHECK(Stem("s") == "s");
  CHECK(Stem("is") == "is");
  CHECK(Stem("ies") == "i");
  CHECK(Stem("ing") == "ing");
  CHECK(Stem("yyying") == "yy");
  CHECK(Stem("happiness") == "happi");
  // Characters, not bytes.
  CHECK(Stem("\u00E9s") == "\u00E9s");
  CHECK(Stem("vi\u0161e") == "vi\u0161e");
  CHECK(Stem("stra\u00DFe") == "stra\u00DFe");
  CHECK(Stem("a\u0161\u0161ing") == "a\u0161");
  CHECK(Stem("\U00010400s") == "\U00010400");
}

TEST_CASE("Porter and possessive filters") {
  PorterStemFilter porter(std::make_unique<WhitespaceTokenizer>());
  const auto tokens = Collect(porter, "running shoes");
  REQUIRE(tokens.size() == 2);
  CHECK(tokens[0].term == "run");
  CHECK(tokens[0].end == 7);
  CHECK(tokens[1].term == "shoe");

  PossessiveFilter possessive(std::make_unique<WhitespaceTokenizer>());
  CHECK(Terms(possessive, "fox's FOX'S fox\u2019s fox\uFF07s fox\u2018s foxs 's s' s x's's") ==
        std::vector<std::string>{"fox", "FOX", "fox", "fox", "fox\u2018s", "foxs", "", "s'", "s",
                                 "x's"});
}

}  // namespace curlew::analysis
