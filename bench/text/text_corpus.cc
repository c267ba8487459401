#include "bench/text/text_corpus.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

#include "engine/util/error.h"

namespace curlew::bench {
namespace {

constexpr std::string_view kMapping = R"({"dynamic": "false", "properties": {
  "title": {"type": "text"}, "body": {"type": "text"}}})";
constexpr size_t kBulk = 200;  // documents a request

}  // namespace

void Die(const std::string& reason) {
  fmt::print(stderr, "curlew_text: {}\n", reason);
  std::exit(1);
}

void Check(const absl::Status& status) {
  if (!status.ok()) Die(DescribeError(status).reason);
}

std::unique_ptr<LocalShard> OpenTextShard(const std::string& folder, uint64_t buffer_bytes) {
  auto shard = LocalShard::Open(folder, kMapping, buffer_bytes);
  Check(shard.status());
  return *std::move(shard);
}

std::vector<LocalDocument> ReadDocuments(const std::string& file, const std::string& id_field) {
  std::ifstream in(file);
  if (!in) Die("cannot read " + file);
  std::vector<LocalDocument> documents;
  simdjson::dom::parser parser;
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    std::string id;
    simdjson::dom::element parsed;
    if (parser.parse(line).get(parsed) != simdjson::SUCCESS) Die("not JSON: " + line.substr(0, 80));
    std::string_view text;
    int64_t number = 0;
    if (parsed[id_field].get(text) == simdjson::SUCCESS) {
      id = text;
    } else if (parsed[id_field].get(number) == simdjson::SUCCESS) {
      id = fmt::format("{}", number);
    } else {
      Die(fmt::format("no [{}] in: {}", id_field, line.substr(0, 80)));
    }
    documents.push_back({std::move(id), std::move(line)});
  }
  return documents;
}

void IndexAll(LocalShard& shard, const std::vector<LocalDocument>& documents, int threads) {
  std::atomic<size_t> next{0};
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&] {
      for (size_t from = next.fetch_add(kBulk); from < documents.size();
           from = next.fetch_add(kBulk)) {
        const size_t count = std::min(kBulk, documents.size() - from);
        Check(shard.Index(std::span(documents).subspan(from, count)));
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  Check(shard.shard().Flush());
}

}  // namespace curlew::bench
