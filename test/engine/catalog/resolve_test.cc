// Names, lists, patterns and exclusions of a request.
#include "engine/catalog/resolve.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <regex>

#include "test/engine/catalog/catalog_fixture.h"
#include "test/support/random.h"

namespace curlew::catalog {
namespace {

const std::set<std::string, std::less<>> kExisting = {".hidden", "a",      "ab",    "abc",
                                                      "b",       "logs-1", "logs-2"};

Strings Resolved(const Strings& names, ResolveOptions options = {}) {
  const auto found = ResolveNames(names, kExisting, options);
  INFO(found.status());
  REQUIRE(found.ok());
  return {found->begin(), found->end()};
}

// The name that is missing.
std::string Missing(const Strings& names, ResolveOptions options = {}) {
  const auto found = ResolveNames(names, kExisting, options);
  REQUIRE(!found.ok());
  CHECK(ErrorType(found.status()) == "index_not_found_exception");
  CHECK(DescribeError(found.status()).rest_status == 404);
  return Fact(found.status(), "index");
}

TEST_CASE("patterns match with stars only") {
  CHECK(MatchesPattern("*", ""));
  CHECK(MatchesPattern("**", "x"));
  CHECK(MatchesPattern("a*", "a"));
  CHECK(MatchesPattern("a*c", "abbbc"));
  CHECK(MatchesPattern("*a*b*", "xxayybzz"));
  CHECK(MatchesPattern("*ab", "aab"));
  CHECK(!MatchesPattern("", "a"));
  CHECK(!MatchesPattern("a", "ab"));
  CHECK(!MatchesPattern("a*c", "abcd"));
  CHECK(!MatchesPattern("a?c", "abc"));
  CHECK(MatchesPattern("a?c", "a?c"));
}

TEST_CASE("patterns agree with regular expressions") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const auto text = [&](const std::string& alphabet, int length) {
    std::string out;
    for (int64_t i = random.Between(0, length); i > 0; --i) {
      out += alphabet[static_cast<size_t>(random.Between(0, alphabet.size() - 1))];
    }
    return out;
  };
  for (int round = 0; round < 3000; ++round) {
    const std::string pattern = text("ab*", 6), name = text("ab", 8);
    const std::string regex = std::regex_replace(pattern, std::regex("\\*"), ".*");
    INFO(pattern << " " << name);
    REQUIRE(MatchesPattern(pattern, name) == std::regex_match(name, std::regex(regex)));
  }
}

TEST_CASE("a pattern of many stars takes no exponential time") {
  const std::string name(2000, 'a');
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  CHECK(MatchesPattern(pattern, name));
  CHECK(!MatchesPattern(pattern + "b", name));
}

TEST_CASE("names, lists and patterns") {
  CHECK(Resolved({}) == Strings(kExisting.begin(), kExisting.end()));
  CHECK(Resolved({"_all"}) == Strings(kExisting.begin(), kExisting.end()));
  CHECK(Resolved({"*"}) == Strings(kExisting.begin(), kExisting.end()));
  CHECK(Resolved({"b", "a"}) == Strings{"a", "b"});
  CHECK(Resolved({"b,a", "a"}) == Strings{"a", "b"});
  CHECK(Resolved({",a,,b,"}) == Strings{"a", "b"});
  CHECK(Resolved({"a*"}) == Strings{"a", "ab", "abc"});
  CHECK(Resolved({"logs-*", "b"}) == Strings{"b", "logs-1", "logs-2"});
  CHECK(Resolved({"nosuch*"}).empty());
}

TEST_CASE("exclusions work behind a pattern only") {
  CHECK(Resolved({"a*", "-ab"}) == Strings{"a", "abc"});
  CHECK(Resolved({"a*,-ab*,b"}) == Strings{"a", "b"});
  CHECK(Resolved({"*", "-*"}).empty());
  CHECK(Resolved({"*", "-logs-*", "logs-2"}) ==
        Strings{".hidden", "a", "ab", "abc", "b", "logs-2"});
  CHECK(Resolved({"a*", "-nosuch"}) == Strings{"a", "ab", "abc"});
  CHECK(Missing({"a", "-ab"}) == "-ab");
  CHECK(Missing({"-a"}) == "-a");
}

TEST_CASE("names that are missing") {
  CHECK(Missing({"nosuch"}) == "nosuch");
  CHECK(Missing({"a", "nosuch"}) == "nosuch");
  CHECK(Missing({""}) == "");
  CHECK(Missing({"a?"}) == "a?");
  CHECK(Missing({"A"}) == "A");

  ResolveOptions options;
  options.ignore_unavailable = true;
  CHECK(Resolved({"nosuch"}, options).empty());
  CHECK(Resolved({"a", "nosuch"}, options) == Strings{"a"});
}

TEST_CASE("allow_no_indices false asks for a match of every pattern") {
  ResolveOptions options;
  options.allow_no_indices = false;
  CHECK(Missing({"nosuch*"}, options) == "nosuch*");
  CHECK(Missing({"a*", "nosuch*"}, options) == "nosuch*");
  CHECK(Resolved({"a*"}, options) == Strings{"a", "ab", "abc"});
  CHECK(Missing({"a*", "-a*"}, options) == "a*");
  options.ignore_unavailable = true;
  CHECK(Missing({"nosuch"}, options) == "nosuch");
}

TEST_CASE("wildcards that do not expand match nothing") {
  ResolveOptions options;
  options.expand_wildcards_open = false;
  CHECK(Resolved({"a*"}, options).empty());
  CHECK(Resolved({"a*", "b"}, options) == Strings{"b"});
}

}  // namespace
}  // namespace curlew::catalog
