#include "bench/text/text_index.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <thread>
#include <utility>

#include "engine/analysis/registry.h"
#include "engine/store/real_directory.h"
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

TextIndex::TextIndex(const std::string& path, uint64_t buffer_bytes) {
  const auto& analyzers = analysis::AnalyzerRegistry::BuiltIn();
  auto mapping = mapping::Mapping::Parse(kMapping, analyzers, {});
  Check(mapping.status());
  mapper_ =
      std::make_unique<mapping::MapperService>(*mapping, mapping::MappingLimits{}, analyzers,
                                               [](const std::string&) { return absl::OkStatus(); });
  auto directory = store::OpenRealDirectory(path);
  Check(directory.status());
  index::ShardOptions options;
  options.index = "bench";
  options.refresh_interval = std::chrono::milliseconds(-1);
  options.buffer_bytes = buffer_bytes;
  auto shard = index::Shard::Open(*std::move(directory), options, mapper_.get(), writer_, &pool_);
  Check(shard.status());
  shard_ = *std::move(shard);
}

TextIndex::~TextIndex() {
  if (shard_ != nullptr) Check(shard_->Close(true));
}

void TextIndex::Add(const std::vector<TextDocument>& documents, int threads) {
  std::atomic<size_t> next{0};
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&] {
      std::vector<index::Operation> operations;
      std::vector<index::OperationResult> results;
      for (size_t from = next.fetch_add(kBulk); from < documents.size();
           from = next.fetch_add(kBulk)) {
        operations.clear();
        for (size_t i = from; i < std::min(documents.size(), from + kBulk); ++i) {
          index::Operation operation;
          operation.id = documents[i].id;
          operation.source = documents[i].source;
          operations.push_back(operation);
        }
        results.assign(operations.size(), {});
        const index::ApplyOutcome outcome = shard_->Apply(operations, results);
        for (const index::OperationResult& result : results) Check(result.status);
        Check(shard_->WaitDurable(outcome.ticket));
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  Check(shard_->Flush());
}

void TextIndex::Delete(const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    index::Operation operation;
    operation.type = index::OpType::kDelete;
    operation.id = id;
    index::OperationResult result;
    Check(shard_->WaitDurable(shard_->Apply({&operation, 1}, {&result, 1}).ticket));
    Check(result.status);
  }
  Check(shard_->Flush());
}

void TextIndex::ForceMerge(int max_segments) {
  Check(shard_->ForceMerge({.max_segments = max_segments}));
  Check(shard_->Flush());
}

search::ShardContext TextIndex::Context() const {
  search::ShardContext context;
  context.index = "bench";
  context.mapping = mapper_->current();
  context.snapshot = shard_->snapshot();
  context.analyzers = &analysis::AnalyzerRegistry::BuiltIn();
  return context;
}

uint64_t TextIndex::segment_bytes() const {
  uint64_t bytes = 0;
  for (const index::SnapshotSegment& segment : shard_->snapshot()->segments) {
    bytes += segment.reader->info().size_bytes;
  }
  return bytes;
}

std::vector<TextDocument> ReadDocuments(const std::string& file, const std::string& id_field) {
  std::ifstream in(file);
  if (!in) Die("cannot read " + file);
  std::vector<TextDocument> documents;
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
      id = fmt::format("{}", documents.size());
    }
    documents.push_back({std::move(id), std::move(line)});
  }
  return documents;
}

}  // namespace curlew::bench
