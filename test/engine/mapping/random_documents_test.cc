// Random documents against a model: what is written down while a document is made up has to come
// out of the parser, and damaged documents never do more than fail.
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

#include "test/engine/mapping/support.h"
#include "test/support/random.h"

namespace curlew::mapping::test {
namespace {

using curlew::test::Random;

constexpr const char* kMapping = R"({"dynamic":false,"properties":{
    "t":{"type":"text"},"k":{"type":"keyword"},"n":{"type":"long"},"b":{"type":"boolean"},
    "m":{"type":"text","fields":{"raw":{"type":"keyword"}}},
    "o":{"properties":{"t":{"type":"text"},"n":{"type":"integer"},"p":{"properties":{
        "k":{"type":"keyword"}}}}},
    "off":{"type":"object","enabled":false}}})";

// Makes up a document and notes its values in the order of the text.
class Maker {
 public:
  explicit Maker(Random& random) : random_(random) {}

  std::string Object(const std::string& path, int depth) {
    std::vector<std::string> names =
        path.empty()  ? std::vector<std::string>{"t", "k", "n", "b", "m", "o", "off", "x", "y"}
        : path == "o" ? std::vector<std::string>{"t", "n", "p", "z"}
                      : std::vector<std::string>{"k", "z"};
    std::shuffle(names.begin(), names.end(), random_.engine());
    names.resize(static_cast<size_t>(random_.Between(0, static_cast<int64_t>(names.size()))));
    std::string out = "{";
    for (const std::string& name : names) {
      out += Blank() + Quoted(name) + Blank() + ":" + Blank();
      out += Value(path.empty() ? name : path + "." + name, depth) + Blank() + ",";
    }
    if (!names.empty()) out.pop_back();
    return out + "}";
  }

  Values values;

 private:
  std::string Blank() {
    static const std::vector<std::string> kBlanks = {"", "", "", " ", "\n", "\t ", "\r\n"};
    return random_.Pick(kBlanks);
  }

  std::string Value(const std::string& path, int depth) {
    if (random_.OneIn(8)) return "null";
    if (random_.OneIn(4) && depth < 4) {
      std::string out = "[";
      for (int64_t i = random_.Between(0, 4); i > 0; --i) {
        out += Blank() + Value(path, depth + 1) + (i > 1 ? "," : "");
      }
      return out + Blank() + "]";
    }
    if (path == "o" || path == "o.p") return Object(path, depth + 1);
    const std::string name = path.substr(path.rfind('.') + 1);
    if (name == "n") {
      const int64_t n = random_.Between(-2'000'000'000, 2'000'000'000);
      values.push_back(path + "=" + std::to_string(n));
      return random_.OneIn(5) ? "\"" + std::to_string(n) + "\"" : std::to_string(n);
    }
    if (name == "b") {
      const bool b = random_.OneIn(2);
      values.push_back(path + "=" + (b ? "1" : "0"));
      return b ? "true" : "false";
    }
    if (name == "t" || name == "k" || name == "m") {
      const std::string text = Text();
      values.push_back(path + "=" + text);
      if (name == "m") values.push_back(path + ".raw=" + text);
      return Quoted(text);
    }
    return Anything(0);  // ignored
  }

  std::string Anything(int depth) {
    switch (random_.Between(0, depth > 3 ? 3 : 5)) {
      case 0:
        return "-0.5e+3";
      case 1:
        return "99999999999999999999999999";
      case 2:
        return Quoted(Text());
      case 3:
        return "true";
      case 4:
        return "[" + Anything(depth + 1) + "," + Anything(depth + 1) + "]";
      default:
        return "{\"u\":" + Anything(depth + 1) + ",\"v\" : " + Anything(depth + 1) + "}";
    }
  }

  std::string Text() {
    static const std::vector<std::string> kParts = {
        "a", "Z", " ",   "\"", "\\",  "/", "\n", "\t", "é", "日", "\x7f", std::string(1, '\0'),
        "🎉", "í", "퟿", "",   "word"};
    std::string out;
    for (int64_t i = random_.Between(0, 12); i > 0; --i) out += random_.Pick(kParts);
    return out;
  }

  std::string Quoted(const std::string& text) {
    std::string out = "\"";
    size_t i = 0;
    while (i < text.size()) {
      const auto c = static_cast<unsigned char>(text[i]);
      char buffer[16];
      if (c >= 0xf0 && random_.OneIn(2)) {
        out += "\\ud83c\\udf89";  // the one such character of Text
        i += 4;
        continue;
      }
      if (c < 0x20 || c == '"' || c == '\\' || (c < 0x80 && random_.OneIn(10))) {
        std::snprintf(buffer, sizeof(buffer), random_.OneIn(2) ? "\\u%04x" : "\\u%04X", c);
        out += buffer;
      } else {
        out.push_back(text[i]);
      }
      ++i;
    }
    return out + "\"";
  }

  Random& random_;
};

TEST_CASE("random documents give the values they were made of") {
  Random random;
  INFO("seed " << random.seed());
  Index index(kMapping);
  for (int i = 0; i < 3000; ++i) {
    Maker maker(random);
    const std::string source = maker.Object("", 0);
    INFO(source);
    const auto values = index.Add(source);
    INFO(values.status().ToString());
    REQUIRE(values.ok());
    REQUIRE(*values == maker.values);
  }
}

TEST_CASE("random documents make the same mapping in one go and one by one") {
  Random random;
  INFO("seed " << random.seed());
  for (int i = 0; i < 100; ++i) {
    Index index;
    for (int d = 0; d < 5; ++d) {
      Maker maker(random);
      const std::string source = maker.Object("", 0);
      INFO(source);
      const std::string before = index.Json();
      const auto values = index.Add(source);
      if (!values.ok()) {
        REQUIRE(index.Json() == before);
        continue;
      }
      // Everything it holds is mapped now.
      const std::string after = index.Json();
      REQUIRE(index.Add(source)->size() == values->size());
      REQUIRE(index.Json() == after);
    }
  }
}

TEST_CASE("damaged documents fail or parse, and do not harm the next") {
  Random random;
  INFO("seed " << random.seed());
  Index index(kMapping);
  Index growing;
  for (int i = 0; i < 5000; ++i) {
    Maker maker(random);
    std::string source = maker.Object("", 0);
    for (int64_t n = random.Between(1, 3); n > 0 && !source.empty(); --n) {
      const auto at =
          static_cast<size_t>(random.Between(0, static_cast<int64_t>(source.size()) - 1));
      switch (random.Between(0, 3)) {
        case 0:
          source.resize(at);
          break;
        case 1:
          source.erase(at, 1);
          break;
        case 2:
          source.insert(at, 1, "{}[],:\"\\0e-"[random.Between(0, 10)]);
          break;
        default:
          source[at] = static_cast<char>(random.Between(0, 255));
      }
    }
    (void)growing.Add(source);
    (void)index.Add(source);
    REQUIRE(index.Add(R"({"n":1})").value() == Values{"n=1"});
  }
}

}  // namespace
}  // namespace curlew::mapping::test
