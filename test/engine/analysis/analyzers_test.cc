#include <catch2/catch.hpp>

#include "engine/analysis/chain_analyzer.h"
#include "engine/analysis/registry.h"
#include "test/engine/analysis/token_support.h"

namespace curlew::analysis {
namespace {

std::string Analyze(const char* name, std::string_view text) {
  const Analyzer* analyzer = AnalyzerRegistry::BuiltIn().Find(name);
  REQUIRE(analyzer != nullptr);
  CHECK(analyzer->name() == name);
  std::string out;
  for (const PositionedTerm& term : AnalyzeToTerms(*analyzer, text)) {
    out += term.term + "@" + std::to_string(term.position) + " ";
  }
  return out;
}

}  // namespace

TEST_CASE("built-in analyzers") {
  const char* text = "The Fox's 2 RUNNING_dogs";
  CHECK(Analyze("standard", text) == "the@0 fox's@1 2@2 running_dogs@3 ");
  CHECK(Analyze("simple", text) == "the@0 fox@1 s@2 running@3 dogs@4 ");
  CHECK(Analyze("whitespace", text) == "The@0 Fox's@1 2@2 RUNNING_dogs@3 ");
  CHECK(Analyze("keyword", text) == "The Fox's 2 RUNNING_dogs@0 ");
  CHECK(Analyze("stop", text) == "fox@1 s@2 running@3 dogs@4 ");
  CHECK(Analyze("english", text) == "fox@1 2@2 running_dog@3 ");
  CHECK(AnalyzerRegistry::BuiltIn().Find("klingon") == nullptr);
  CHECK(AnalyzerRegistry::BuiltIn().Find("") == nullptr);
}

TEST_CASE("components are found by name") {
  for (const char* name : {"standard", "letter", "lowercase", "whitespace", "keyword"}) {
    REQUIRE(FindTokenizer(name) != nullptr);
  }
  for (const char* name : {"lowercase", "stop", "possessive_english", "porter_stem"}) {
    REQUIRE(FindFilter(name) != nullptr);
  }
  CHECK(FindTokenizer("stop") == nullptr);
  CHECK(FindFilter("standard") == nullptr);
}

TEST_CASE("filters of a chain apply in order") {
  // Before lower-casing, capitals hide stop words.
  const ChainAnalyzer first("a", *FindTokenizer("whitespace"),
                            {*FindFilter("stop"), *FindFilter("lowercase")});
  const ChainAnalyzer last("b", *FindTokenizer("whitespace"),
                           {*FindFilter("lowercase"), *FindFilter("stop")});
  CHECK(AnalyzeToTerms(first, "The end").size() == 2);
  CHECK(AnalyzeToTerms(last, "The end").size() == 1);
}

TEST_CASE("streams of one analyzer are independent") {
  const Analyzer* analyzer = AnalyzerRegistry::BuiltIn().Find("english");
  const auto one = analyzer->NewStream();
  const auto two = analyzer->NewStream();
  one->Reset("Cats and Dogs");
  two->Reset("Birds");
  Token a;
  Token b;
  REQUIRE(one->Next(a));
  REQUIRE(two->Next(b));
  CHECK(a.term == "cat");
  CHECK(b.term == "bird");
  REQUIRE(one->Next(a));
  CHECK(a.term == "dog");
  CHECK(a.position_increment == 2);
  CHECK_FALSE(two->Next(b));
}

}  // namespace curlew::analysis
