// What a hit costs on its way into the response: the wire writer alone, on hits whose bytes are
// warm (few) or come from memory (many).
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "engine/analysis/registry.h"
#include "engine/index/shard.h"
#include "engine/mapping/mapping.h"
#include "engine/search/coordinator.h"
#include "engine/search/query/query.h"
#include "engine/store/memory_directory.h"
#include "engine/util/thread_pool.h"
#include "proto_utils/response/search_head.h"
#include "proto_utils/response/search_response.h"

namespace {

using curlew::proto_utils::ResponseBuffer;
using curlew::proto_utils::SearchResponseWriter;
using curlew::search::Hit;

constexpr size_t kBatch = 16;

struct Document {
  std::string id;
  std::string source;
};

Document MakeDocument(size_t i) {
  return {fmt::format("doc-{:08d}", i),
          fmt::format(R"({{"name":"name-{:06d}","n":{},"note":"alpha beta gamma delta"}})", i, i)};
}

void WriteHits(benchmark::State& state) {
  const auto count = static_cast<size_t>(state.range(0));
  std::string stored;
  std::vector<std::array<size_t, 3>> places;
  for (size_t i = 0; i < count; ++i) {
    const auto [id, source] = MakeDocument(i);
    places.push_back({stored.size(), id.size(), source.size()});
    stored += id + source;
  }
  std::array<Hit, kBatch> hits;
  for (auto _ : state) {
    const auto writer = SearchResponseWriter::Create();
    curlew::search::HitVisitor& part = writer->part(0);
    part.OnStart(count);
    for (size_t begin = 0; begin < count; begin += kBatch) {
      const size_t size = std::min(kBatch, count - begin);
      for (size_t i = 0; i < size; ++i) {
        const auto& [at, id, source] = places[begin + i];
        hits[i].index = "large-result";
        hits[i].id = {stored.data() + at, id};
        hits[i].source = std::string_view(stored.data() + at + id, source);
        hits[i].score = 1;
      }
      part.OnHits({hits.data(), size});
    }
    ResponseBuffer out;
    const absl::Status status = writer->Finish({}, {}, out);
    benchmark::DoNotOptimize(status.ok());
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * count));
}
BENCHMARK(WriteHits)->Arg(160)->Arg(30000);

// Everything between the request and its bytes: match_all over one segment, all of it returned.
void Search(benchmark::State& state) {
  const auto count = static_cast<size_t>(state.range(0));
  const auto& analyzers = curlew::analysis::AnalyzerRegistry::BuiltIn();
  curlew::mapping::MapperService mapper(curlew::mapping::Mapping::Empty(), {}, analyzers,
                                        [](const std::string&) { return absl::OkStatus(); });
  curlew::ThreadPool pool("background", 1, 100);
  curlew::index::ShardOptions options;
  options.refresh_interval = std::chrono::milliseconds(-1);
  auto shard = curlew::index::Shard::Open(curlew::store::NewMemoryDirectory(), options, &mapper,
                                          std::make_shared<curlew::translog::LogWriter>(), &pool);
  for (size_t i = 0; i < count; ++i) {
    const Document document = MakeDocument(i);
    curlew::index::Operation operation;
    operation.id = document.id;
    operation.source = document.source;
    curlew::index::OperationResult result;
    (*shard)->Apply({&operation, 1}, {&result, 1});
  }
  (void)(*shard)->Refresh();
  curlew::search::SearchRequest request;
  request.size = static_cast<int64_t>(count);
  request.track_total_hits = 10000;
  curlew::CancelToken cancel;
  for (auto _ : state) {
    std::vector<std::unique_ptr<curlew::search::ShardSearch>> shards;
    curlew::search::ShardContext context;
    context.index = "large-result";
    context.mapping = mapper.current();
    context.snapshot = (*shard)->snapshot();
    context.analyzers = &analyzers;
    shards.push_back(curlew::search::NewLocalShardSearch(context, 100000));
    const auto result = curlew::search::RunQueryPhase(request, shards, true, cancel);
    const auto writer = SearchResponseWriter::Create();
    const absl::Status fetched =
        curlew::search::RunFetchPhase(request, *result, shards, cancel, nullptr, *writer);
    ResponseBuffer out;
    const absl::Status status = writer->Finish(*result, {}, out);
    if (!fetched.ok() || !status.ok()) state.SkipWithError("failed");
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * count));
}
BENCHMARK(Search)->Arg(160)->Arg(30000);

}  // namespace
