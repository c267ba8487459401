// Whatever the document parser takes is stored as it came: everything that reads sources later has
// to take it too, or one document would break the searches and updates of all.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/analysis/registry.h"
#include "engine/index/json_tree.h"
#include "engine/mapping/document_parser.h"
#include "engine/search/source_filter.h"
#include "test/support/random.h"

namespace curlew::search {
namespace {

using test::Random;

class Sources {
 public:
  Sources() {
    limits_.depth = 100'000;  // nesting is limited by the reader all the same
    mapping_ = mapping::Mapping::Parse(
                   R"({"dynamic":false,"properties":{"off":{"type":"object","enabled":false}}})",
                   analysis::AnalyzerRegistry::BuiltIn(), limits_)
                   .value();
    filters_.emplace_back(SourceFilter{true, {"nothing"}, {}});
    filters_.emplace_back(SourceFilter{true, {"*"}, {"*.*.*"}});
    filters_.emplace_back(SourceFilter{true, {}, {"a*", "off.b"}});
  }

  // False when the parser does not take it; otherwise everybody has to.
  bool Check(const std::string& source) {
    if (!parser_.Parse(source, *mapping_, limits_, document_).ok()) return false;
    index::JsonTree tree;
    const absl::Status parsed = tree.Parse(source);
    INFO(source.substr(0, 500) << "\n" << parsed.ToString());
    REQUIRE(parsed.ok());
    for (const SourceFilterer& filter : filters_) {
      std::string filtered;
      const absl::Status status = filter.Apply(source, nullptr, filtered);
      INFO(status.ToString());
      REQUIRE(status.ok());
      REQUIRE(parser_.Parse(filtered, *mapping_, limits_, document_).ok());
    }
    return true;
  }

 private:
  mapping::MappingLimits limits_;
  std::shared_ptr<const mapping::Mapping> mapping_;
  mapping::DocumentParser parser_;
  mapping::ParsedDocument document_;
  std::vector<SourceFilterer> filters_;
};

constexpr const char* kMark = "\xef\xbb\xbf";

TEST_CASE("sources with a byte order mark are filtered and read", "[search]") {
  Sources sources;
  CHECK(sources.Check(std::string(kMark) + R"( {"a":{"b":[1,{"c":null}]}, "off":{"b":2}})"));
  CHECK(sources.Check(std::string(kMark) + "{}"));
  std::string out;
  REQUIRE(SourceFilterer({true, {"a"}, {}})
              .Apply(std::string(kMark) + R"({"a":1,"b":2})", nullptr, out)
              .ok());
  CHECK(out == R"({"a":1})");
}

TEST_CASE("sources of the JSON test suite are read when they are taken", "[search]") {
  namespace fs = std::filesystem;
  Sources sources;
  int taken = 0;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(CURLEW_SOURCE_DIR) / "test/data/json/test_parsing")) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    INFO(entry.path().filename());
    for (const std::string& form : {text, "{\"a\": " + text + "}", "{\"off\": " + text + "}",
                                    kMark + text, "{\"b\": {\"c\": [" + text + "]}}"}) {
      taken += sources.Check(form) ? 1 : 0;
    }
  }
  CHECK(taken > 200);
}

std::string RandomJson(Random& random, int depth) {
  static const std::vector<std::string> kScalars = {"0",
                                                    "-0.5e+3",
                                                    "1E400",
                                                    "true",
                                                    "false",
                                                    "null",
                                                    R"("")",
                                                    R"("a,b")",
                                                    R"("\"}]\\")",
                                                    "\"é\"",
                                                    R"("\u00e9\ud83c\udf89")",
                                                    R"("\\\\\"")"};
  static const std::vector<std::string> kNames = {R"("a")",   R"("b.c")", R"("\u0061b")",
                                                  R"("off")", R"("q\"")", R"("\\")"};
  static const std::vector<std::string> kBlanks = {"", "", " ", "\n\t", "\r\n"};
  if (depth > 4 || random.OneIn(3)) return random.Pick(kScalars);
  const bool object = depth == 0 || random.OneIn(2);
  std::string out(1, object ? '{' : '[');
  for (int64_t i = random.Between(0, 3); i > 0; --i) {
    out += random.Pick(kBlanks);
    if (object) out += random.Pick(kNames) + random.Pick(kBlanks) + ":" + random.Pick(kBlanks);
    out += RandomJson(random, depth + 1) + random.Pick(kBlanks) + (i > 1 ? "," : "");
  }
  return out + random.Pick(kBlanks) + (object ? "}" : "]");
}

TEST_CASE("random and damaged sources are read when they are taken", "[search]") {
  Random random;
  CAPTURE(random.seed());
  Sources sources;
  int taken = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string source = RandomJson(random, 0);
    for (int64_t n = random.Between(-2, 2); n > 0; --n) {
      const auto at = static_cast<size_t>(random.Between(0, static_cast<int64_t>(source.size())));
      static const std::string kBytes("{}[],:\"\\0e-\xef\xbb\xbf \n\0x", 19);
      switch (random.Between(0, 2)) {
        case 0:
          source.insert(at, 1, kBytes[static_cast<size_t>(random.Between(0, 18))]);
          break;
        case 1:
          source.insert(at, kMark);
          break;
        default:
          if (at < source.size()) source.erase(at, 1);
      }
    }
    if (random.OneIn(4)) source.insert(0, kMark);
    taken += sources.Check(source) ? 1 : 0;
  }
  CHECK(taken > 2000);
}

}  // namespace
}  // namespace curlew::search
