#include "bench/columns/numbers_index.h"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <string_view>
#include <vector>

#include "engine/store/real_directory.h"
#include "engine/util/error.h"

namespace curlew::bench {
namespace {

constexpr size_t kBatch = 1000;  // documents an Apply

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

// "number TAB keyword,keyword" as a document.
std::string ToJson(std::string_view line) {
  const size_t tab = line.find('\t');
  std::string json = fmt::format(R"({{"num":{},"kw":[)", line.substr(0, tab));
  std::string_view rest = tab == std::string_view::npos ? "" : line.substr(tab + 1);
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    if (word.empty()) continue;
    if (json.back() != '[') json.push_back(',');
    json += '"' + Escaped(word) + '"';
  }
  return json + "]}";
}

absl::Status Apply(index::Shard& shard, const std::vector<std::string>& documents, uint64_t first) {
  std::vector<std::string> ids;
  for (size_t i = 0; i < documents.size(); ++i) ids.push_back(std::to_string(first + i));
  std::vector<index::Operation> operations(documents.size());
  for (size_t i = 0; i < documents.size(); ++i) {
    operations[i].id = ids[i];
    operations[i].source = documents[i];
  }
  std::vector<index::OperationResult> results(operations.size());
  const index::ApplyOutcome outcome = shard.Apply(operations, results);
  for (const index::OperationResult& result : results) CURLEW_RETURN_IF_ERROR(result.status);
  return shard.WaitDurable(outcome.ticket);
}

}  // namespace

absl::StatusOr<std::unique_ptr<NumbersIndex>> NumbersIndex::Build(const std::string& data,
                                                                  bool fractions,
                                                                  const std::string& folder) {
  std::ifstream in(data);
  if (!in) return absl::NotFoundError(data + " cannot be read");
  auto built = std::unique_ptr<NumbersIndex>(new NumbersIndex());
  const auto& analyzers = analysis::AnalyzerRegistry::BuiltIn();
  const std::string json = fmt::format(
      R"({{"properties":{{"num":{{"type":"{}"}},"kw":{{"type":"keyword","index":false}}}}}})",
      fractions ? "double" : "long");
  CURLEW_ASSIGN_OR_RETURN(auto parsed, mapping::Mapping::Parse(json, analyzers, {}));
  built->mapper_ =
      std::make_unique<mapping::MapperService>(parsed, mapping::MappingLimits{}, analyzers,
                                               [](const std::string&) { return absl::OkStatus(); });
  CURLEW_ASSIGN_OR_RETURN(auto directory, store::OpenRealDirectory(folder));
  index::ShardOptions options;
  options.index = "numbers";
  options.refresh_interval = std::chrono::milliseconds(-1);
  CURLEW_ASSIGN_OR_RETURN(built->shard_,
                          index::Shard::Open(directory, options, built->mapper_.get(),
                                             built->log_writer_, &built->pool_));
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::string> documents;
  std::string line;
  while (std::getline(in, line)) {
    documents.push_back(ToJson(line));
    if (documents.size() < kBatch) continue;
    CURLEW_RETURN_IF_ERROR(Apply(*built->shard_, documents, built->docs_));
    built->docs_ += documents.size();
    documents.clear();
  }
  CURLEW_RETURN_IF_ERROR(Apply(*built->shard_, documents, built->docs_));
  built->docs_ += documents.size();
  CURLEW_RETURN_IF_ERROR(built->shard_->Flush());
  built->seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  CURLEW_RETURN_IF_ERROR(built->shard_->ForceMerge({.max_segments = 1}));
  CURLEW_RETURN_IF_ERROR(built->shard_->Flush());
  const std::string& segment = built->snapshot()->segments.at(0).reader->info().name;
  CURLEW_ASSIGN_OR_RETURN(built->column_bytes_, directory->Size(segment + ".columns"));
  CURLEW_ASSIGN_OR_RETURN(built->points_bytes_, directory->Size(segment + ".points"));
  return built;
}

NumbersIndex::~NumbersIndex() {
  if (shard_ != nullptr) shard_->Close(false).IgnoreError();
}

}  // namespace curlew::bench
