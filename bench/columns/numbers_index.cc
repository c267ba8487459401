#include "bench/columns/numbers_index.h"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <string_view>
#include <vector>

#include "bench/support/json_text.h"
#include "engine/store/real_directory.h"
#include "engine/util/error.h"

namespace curlew::bench {
namespace {

constexpr size_t kBatch = 1000;  // documents a request
constexpr uint64_t kBufferBytes = 64 << 20;

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
    json += '"' + EscapedJson(word) + '"';
  }
  return json + "]}";
}

}  // namespace

absl::StatusOr<std::unique_ptr<NumbersIndex>> NumbersIndex::Build(const std::string& data,
                                                                  bool fractions,
                                                                  const std::string& folder) {
  std::ifstream in(data);
  if (!in) return absl::NotFoundError(data + " cannot be read");
  auto built = std::unique_ptr<NumbersIndex>(new NumbersIndex());
  const std::string json = fmt::format(
      R"({{"properties":{{"num":{{"type":"{}"}},"kw":{{"type":"keyword","index":false}}}}}})",
      fractions ? "double" : "long");
  CURLEW_ASSIGN_OR_RETURN(built->local_, LocalShard::Open(folder, json, kBufferBytes));
  const auto start = std::chrono::steady_clock::now();
  std::vector<LocalDocument> documents;
  const auto flush = [&] {
    built->docs_ += documents.size();
    absl::Status status = built->local_->Index(documents);
    documents.clear();
    return status;
  };
  for (std::string line; std::getline(in, line);) {
    documents.push_back({std::to_string(built->docs_ + documents.size()), ToJson(line)});
    if (documents.size() == kBatch) CURLEW_RETURN_IF_ERROR(flush());
  }
  CURLEW_RETURN_IF_ERROR(flush());
  CURLEW_RETURN_IF_ERROR(built->local_->shard().Flush());
  built->seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  CURLEW_RETURN_IF_ERROR(built->local_->MergeAll());
  CURLEW_ASSIGN_OR_RETURN(const auto directory, store::OpenRealDirectory(folder));
  const std::string segment = built->local_->shard().snapshot()->segments.at(0).reader->info().name;
  CURLEW_ASSIGN_OR_RETURN(built->column_bytes_, directory->Size(segment + ".columns"));
  CURLEW_ASSIGN_OR_RETURN(built->points_bytes_, directory->Size(segment + ".points"));
  return built;
}

}  // namespace curlew::bench
