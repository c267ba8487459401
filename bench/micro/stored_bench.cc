// What it costs to fetch one stored document at random, by codec: a cursor of its own each time, as
// a real-time get or an update does it. Segments of 32 MB, from a real file.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "engine/codec/stored/stored_merge.h"
#include "engine/store/real_directory.h"

namespace {

using curlew::codec::DocId;
using curlew::codec::StoredCodec;
using curlew::codec::StoredDocuments;

constexpr size_t kSegmentBytes = 32 << 20;

// Documents of so many words take about this many bytes.
constexpr size_t BytesOf(size_t words) { return 50 + words * 6; }
constexpr DocId DocumentsOf(size_t words) {
  return static_cast<DocId>(kSegmentBytes / BytesOf(words));
}

std::string Source(size_t words, std::mt19937_64& random) {
  static const std::vector<std::string> vocabulary = [] {
    std::mt19937_64 letters(11);
    std::vector<std::string> made(4000);
    for (std::string& word : made) {
      for (size_t n = 2 + letters() % 9; n > 0; --n) {
        word += static_cast<char>('a' + letters() % 26);
      }
    }
    return made;
  }();
  std::string source =
      fmt::format(R"({{"n":{},"user":"u{}","text":")", random() % 1000000, random() % 5000);
  for (size_t i = 0; i < words; ++i) {
    const double u = std::uniform_real_distribution<double>(0, 1)(random);
    source += vocabulary[static_cast<size_t>(u * u * u * 4000)] + " ";
  }
  return source + "\"}";
}

// A segment as a merge writes it. The folder goes at the end of the program.
class Segments {
 public:
  const StoredDocuments& Get(const std::string& codec, size_t words) {
    auto& stored = stored_[fmt::format("{}-{}", codec, words)];
    if (stored == nullptr) stored = Write(codec, words);
    return *stored;
  }
  ~Segments() { std::filesystem::remove_all(folder_); }

 private:
  std::unique_ptr<StoredDocuments> Write(const std::string& codec, size_t words) {
    std::filesystem::create_directories(folder_);
    auto directory = curlew::store::OpenRealDirectory(folder_).value();
    const std::string name = fmt::format("_{}-{}", codec, words);
    const StoredCodec& none = *StoredCodec::Find("none");
    auto writer = none.NewWriter(*directory, name + "-raw", {}).value();
    std::mt19937_64 random(3);
    const DocId documents = DocumentsOf(words);
    for (DocId doc = 0; doc < documents; ++doc) {
      writer->Add({fmt::format("doc-{}", doc), "", Source(words, random)});
    }
    if (!writer->Finish().ok()) std::abort();
    const auto raw = none.Open(*directory, name + "-raw", documents).value();
    const std::vector<DocId> map(documents, 0);
    const curlew::codec::StoredMergeInput input{raw.get(), map};
    if (!curlew::codec::MergeStoredDocuments(*directory, name, {codec, 3}, {&input, 1}, [] {
           return absl::OkStatus();
         }).ok()) {
      std::abort();
    }
    return StoredCodec::Find(codec)->Open(*directory, name, documents).value();
  }

  const std::string folder_ =
      std::filesystem::temp_directory_path() / fmt::format("curlew-stored-bench-{}", ::getpid());
  std::map<std::string, std::unique_ptr<StoredDocuments>> stored_;
};

void RandomFetch(benchmark::State& state, const std::string& codec) {
  static Segments segments;
  const auto words = static_cast<size_t>(state.range(0));
  const StoredDocuments& stored = segments.Get(codec, words);
  std::mt19937_64 random(7);
  std::vector<double> micros;
  for (auto _ : state) {
    const auto doc = static_cast<DocId>(random() % DocumentsOf(words));
    const auto start = std::chrono::steady_clock::now();
    const auto document = stored.NewCursor()->Read(doc);
    micros.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
            .count());
    if (!document.ok()) state.SkipWithError("cannot be read");
  }
  std::sort(micros.begin(), micros.end());
  state.counters["p50_us"] = micros[micros.size() / 2];
  state.counters["p99_us"] = micros[micros.size() * 99 / 100];
  state.counters["ratio"] =
      static_cast<double>(stored.raw_bytes()) / static_cast<double>(stored.stored_bytes());
}

// Words a document: about 100 bytes, 1 KB, 5 KB.
BENCHMARK_CAPTURE(RandomFetch, none, "none")->Arg(10)->Arg(170)->Arg(850);
BENCHMARK_CAPTURE(RandomFetch, lz4, "lz4")->Arg(10)->Arg(170)->Arg(850);
BENCHMARK_CAPTURE(RandomFetch, zstd_no_dict, "zstd_no_dict")->Arg(10)->Arg(170)->Arg(850);
BENCHMARK_CAPTURE(RandomFetch, zstd, "zstd")->Arg(10)->Arg(170)->Arg(850);

}  // namespace
