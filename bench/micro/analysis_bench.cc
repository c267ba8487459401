// How fast the built-in analyzers turn text into tokens. CURLEW_BENCH_TEXT names a file with one
// document a line; without it the text is made of a few English sentences.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "engine/analysis/components.h"
#include "engine/analysis/registry.h"

namespace {

using curlew::analysis::AnalyzerRegistry;
using curlew::analysis::FindTokenizer;
using curlew::analysis::Token;
using curlew::analysis::TokenStream;

const std::vector<std::string>& Documents() {
  static const auto* const documents = [] {
    auto* lines = new std::vector<std::string>;
    if (const char* path = std::getenv("CURLEW_BENCH_TEXT")) {
      std::ifstream in(path);
      for (std::string line; std::getline(in, line);) lines->push_back(line);
    }
    if (lines->empty()) {
      std::string text;
      for (int i = 0; i < 1000; ++i) {
        text += "A curlew probes the mud for worms with its long bill, which bends downwards. In ";
        text += std::to_string(1900 + i % 100);
        text +=
            " some 3,500 pairs were counted; the caf\u00E9's list names Europe's largest ones. ";
      }
      lines->push_back(text);
    }
    return lines;
  }();
  return *documents;
}

void Consume(benchmark::State& state, TokenStream& stream) {
  size_t bytes = 0;
  size_t tokens = 0;
  for (auto _ : state) {
    for (const std::string& document : Documents()) {
      stream.Reset(document);
      for (Token token; stream.Next(token); ++tokens) benchmark::DoNotOptimize(token.term.data());
      bytes += document.size();
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(bytes));
  state.SetItemsProcessed(static_cast<int64_t>(tokens));
}

void StandardTokenizerAlone(benchmark::State& state) {
  Consume(state, *(*FindTokenizer("standard"))());
}
BENCHMARK(StandardTokenizerAlone);

void BuiltIn(benchmark::State& state, const char* name) {
  Consume(state, *AnalyzerRegistry::BuiltIn().Find(name)->NewStream());
}
BENCHMARK_CAPTURE(BuiltIn, standard, "standard");
BENCHMARK_CAPTURE(BuiltIn, simple, "simple");
BENCHMARK_CAPTURE(BuiltIn, whitespace, "whitespace");
BENCHMARK_CAPTURE(BuiltIn, stop, "stop");
BENCHMARK_CAPTURE(BuiltIn, english, "english");

}  // namespace

BENCHMARK_MAIN();
