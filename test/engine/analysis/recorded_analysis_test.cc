// Analyses recorded from OpenSearch 3.8.0: a line each with the body of an _analyze call and its
// tokens as [term, start, end, type, position], offsets in UTF-16 code units.
#include <simdjson.h>

#include <catch2/catch.hpp>

#include "engine/analysis/components.h"
#include "engine/analysis/registry.h"
#include "engine/analysis/standard_tokenizer.h"
#include "engine/analysis/whitespace_tokenizer.h"
#include "test/engine/analysis/token_support.h"

namespace curlew::analysis {
namespace {

using simdjson::dom::element;

std::string String(simdjson::simdjson_result<element> value) {
  return std::string(std::string_view(value));
}

std::unique_ptr<TokenStream> MakeTokenizer(element tokenizer) {
  if (tokenizer.is_string()) {
    return (*FindTokenizer(std::string_view(tokenizer)))();
  }
  const auto length = static_cast<int>(int64_t(tokenizer["max_token_length"]));
  if (String(tokenizer["type"]) == "standard") return std::make_unique<StandardTokenizer>(length);
  REQUIRE(String(tokenizer["type"]) == "whitespace");
  return std::make_unique<WhitespaceTokenizer>(length);
}

std::unique_ptr<TokenStream> MakeStream(element body) {
  element value;
  if (body["analyzer"].get(value) == simdjson::SUCCESS) {
    return AnalyzerRegistry::BuiltIn().Find(std::string_view(value))->NewStream();
  }
  std::unique_ptr<TokenStream> stream = MakeTokenizer(body["tokenizer"]);
  simdjson::dom::array filters;
  if (body["filter"].get(filters) == simdjson::SUCCESS) {
    for (element filter : filters) {
      stream = (*FindFilter(std::string_view(filter)))(std::move(stream));
    }
  }
  return stream;
}

}  // namespace

TEST_CASE("analyses recorded from OpenSearch") {
  simdjson::dom::parser parser;
  int count = 0;
  for (const std::string& line : ReadLines("analyze-builtin.jsonl")) {
    INFO(line);
    const element call = parser.parse(line);
    const std::string text = String(call["body"]["text"]);
    const std::vector<uint32_t> offsets = Utf16Offsets(text);
    const std::unique_ptr<TokenStream> stream = MakeStream(call["body"]);
    std::string ours;
    for (const OwnedToken& token : Collect(*stream, text)) {
      ours += token.term + " " + std::to_string(offsets[token.start]) + " " +
              std::to_string(offsets[token.end]) + " " + token.type + " " +
              std::to_string(token.position) + "\n";
    }
    std::string recorded;
    for (element token : call["tokens"]) {
      recorded += String(token.at(0)) + " " + std::to_string(uint64_t(token.at(1))) + " " +
                  std::to_string(uint64_t(token.at(2))) + " " + String(token.at(3)) + " " +
                  std::to_string(uint64_t(token.at(4))) + "\n";
    }
    CHECK(ours == recorded);
    ++count;
  }
  CHECK(count == 241);
}

}  // namespace curlew::analysis
