// Text search without a server: indexes a corpus and runs queries over it, one thread, as the
// drivers of other engines do.
//   curlew_text index DIR CORPUS.jsonl      curlew_text merge DIR
//   curlew_text query DIR QUERIES.jsonl     curlew_text top10 DIR QUERIES.jsonl
#include <fmt/format.h>
#include <simdjson.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/support/json_text.h"
#include "bench/text/query_line.h"
#include "bench/text/text_corpus.h"
#include "engine/search/shard_search.h"

namespace curlew::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string folder;
  std::string file;
  std::string out;
  std::string id_field = "id";
  int threads = 1;
  size_t delete_every = 0;
  uint64_t buffer_mb = 512;
  int warm_up = 40;
  int passes = 60;
};

struct Line {
  std::string text;
  std::string tag;
  search::QueryPtr query;
};

constexpr std::array<std::string_view, 3> kCommands = {"TOP_10", "TOP_10_COUNT", "COUNT"};

std::vector<Line> ReadQueries(const std::string& file) {
  std::ifstream in(file);
  if (!in) Die("cannot read " + file);
  std::vector<Line> lines;
  simdjson::dom::parser parser;
  for (std::string text; std::getline(in, text);) {
    simdjson::dom::element parsed;
    if (text.empty()) continue;
    if (parser.parse(text).get(parsed) != simdjson::SUCCESS) Die("not JSON: " + text);
    Line line;
    std::string_view view;
    if (parsed["query"].get(view) != simdjson::SUCCESS) Die("no query: " + text);
    line.text = view;
    if (parsed["tags"].at(0).get(view) == simdjson::SUCCESS) line.tag = view;
    line.query = ParseQueryLine(line.text, "body");
    lines.push_back(std::move(line));
  }
  return lines;
}

search::SearchRequest RequestFor(const Line& line, size_t command) {
  search::SearchRequest request;
  request.query = line.query;
  request.size = command == 2 ? 0 : 10;
  request.track_total_hits =
      command == 0 ? search::kTrackTotalHitsOff : search::kTrackTotalHitsExactly;
  return request;
}

search::ShardResult Run(const search::ShardContext& context, const search::SearchRequest& request) {
  static const CancelToken never;
  auto result = search::NewLocalShardSearch(context, 10000)->Query(request, never);
  Check(result.status());
  return *std::move(result);
}

double Percentile(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  const auto at = static_cast<size_t>(std::ceil(p / 100 * static_cast<double>(values.size())));
  return values[std::min(values.size(), std::max<size_t>(at, 1)) - 1];
}

double GeometricMean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

std::unique_ptr<LocalShard> OpenShard(const Options& options) {
  return OpenTextShard(options.folder, options.buffer_mb << 20);
}

void Index(const Options& options) {
  const std::vector<LocalDocument> documents = ReadDocuments(options.file, options.id_field);
  const auto start = Clock::now();
  const auto shard = OpenShard(options);
  IndexAll(*shard, documents, options.threads);
  const std::chrono::duration<double> seconds = Clock::now() - start;
  fmt::print(R"({{"documents":{},"threads":{},"commit_s":{:.3f},"docs_s":{:.0f},"segments":{},)"
             R"("segment_bytes":{}}})"
             "\n",
             documents.size(), options.threads, seconds.count(),
             static_cast<double>(documents.size()) / seconds.count(),
             shard->shard().snapshot()->segments.size(), shard->segment_bytes());
  if (options.delete_every == 0) return;
  for (size_t i = 0; i < documents.size(); i += options.delete_every) {
    Check(shard->Delete(documents[i].id));
  }
  Check(shard->shard().Flush());
}

void Merge(const Options& options) {
  const auto shard = OpenShard(options);
  const auto start = Clock::now();
  Check(shard->MergeAll());
  const std::chrono::duration<double> seconds = Clock::now() - start;
  fmt::print(R"({{"merge_s":{:.3f},"segment_bytes":{}}})"
             "\n",
             seconds.count(), shard->segment_bytes());
}

// The least microseconds of the measured passes, by query.
std::vector<double> Measure(const search::ShardContext& context, const std::vector<Line>& lines,
                            size_t command, const Options& options, std::vector<int64_t>& counts) {
  std::vector<double> best(lines.size(), 1e12);
  counts.assign(lines.size(), 0);
  for (int pass = 0; pass < options.warm_up + options.passes; ++pass) {
    for (size_t i = 0; i < lines.size(); ++i) {
      const search::SearchRequest request = RequestFor(lines[i], command);
      const auto start = Clock::now();
      const search::ShardResult result = Run(context, request);
      const std::chrono::duration<double, std::micro> time = Clock::now() - start;
      if (pass >= options.warm_up) best[i] = std::min(best[i], time.count());
      counts[i] = result.total.value;
    }
  }
  return best;
}

void Query(const Options& options) {
  const std::vector<Line> lines = ReadQueries(options.file);
  const auto shard = OpenShard(options);
  const search::ShardContext context = shard->Context();
  std::array<std::vector<double>, 3> times;
  std::vector<int64_t> counts;
  for (size_t command = 0; command < kCommands.size(); ++command) {
    times[command] = Measure(context, lines, command, options, counts);
    std::map<std::string, std::vector<double>> groups;
    for (size_t i = 0; i < lines.size(); ++i) {
      groups[lines[i].tag].push_back(times[command][i]);
      if (lines[i].tag != "term_extra") groups["ALL"].push_back(times[command][i]);
    }
    for (const auto& [tag, values] : groups) {
      fmt::print("{:12} {:18} n {:4}  geometric mean {:8.2f} us  p50 {:8.2f}  p99 {:8.2f}\n",
                 kCommands[command], tag, values.size(), GeometricMean(values),
                 Percentile(values, 50), Percentile(values, 99));
    }
  }
  if (options.out.empty()) return;
  std::ofstream out(options.out);
  for (size_t i = 0; i < lines.size(); ++i) {
    out << fmt::format(
        R"({{"query":"{}","tag":"{}","count":{},"TOP_10":{:.2f},"TOP_10_COUNT":{:.2f},"COUNT":{:.2f}}})"
        "\n",
        EscapedJson(lines[i].text), lines[i].tag, counts[i], times[0][i], times[1][i], times[2][i]);
  }
}

void Top10(const Options& options) {
  const std::vector<Line> lines = ReadQueries(options.file);
  const auto shard = OpenShard(options);
  const search::ShardContext context = shard->Context();
  static const CancelToken never;
  std::ofstream out(options.out);
  for (const Line& line : lines) {
    const search::SearchRequest request = RequestFor(line, 1);
    const auto search = search::NewLocalShardSearch(context, 10000);
    auto result = search->Query(request, never);
    Check(result.status());
    const auto fetch = search->NewFetch(request, never);
    std::string top;
    for (const search::TopHit& hit : result->hits) {
      search::Hit found;
      Check(fetch->Fetch({&hit.doc, 1}, &found));
      top += fmt::format("{}[\"{}\",{}]", top.empty() ? "" : ",", found.id, hit.score);
    }
    out << fmt::format(R"({{"query":"{}","count":{},"top":[{}]}})"
                       "\n",
                       EscapedJson(line.text), result->total.value, top);
  }
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app("Indexes a text corpus and runs queries over it");
  app.require_subcommand(1);
  const auto add = [&](const char* name, const char* help, bool file, void (*run)(const Options&)) {
    CLI::App* command = app.add_subcommand(name, help);
    command->add_option("FOLDER", options.folder, "of the index")->required();
    if (file) command->add_option("FILE", options.file, "lines of JSON")->required();
    command->add_option("--buffer-mb", options.buffer_mb, "documents held in memory")
        ->capture_default_str();
    command->callback([&options, run] { run(options); });
    return command;
  };
  CLI::App* index = add("index", "index FILE's documents", true, &Index);
  index->add_option("--threads", options.threads)->capture_default_str();
  index->add_option("--id-field", options.id_field)->capture_default_str();
  index->add_option("--delete-every", options.delete_every, "then delete one in so many; 0 = none")
      ->capture_default_str();
  add("merge", "into one segment", false, &Merge);
  CLI::App* query = add("query", "time FILE's queries", true, &Query);
  query->add_option("--warm-up", options.warm_up, "passes before")->capture_default_str();
  query->add_option("--passes", options.passes, "measured")->capture_default_str();
  query->add_option("--out", options.out, "file for each query's figures");
  add("top10", "the best ten of each query", true, &Top10)
      ->add_option("--out", options.out)
      ->required();
  CLI11_PARSE(app, argc, argv);
  return 0;
}

}  // namespace
}  // namespace curlew::bench

int main(int argc, char** argv) { return curlew::bench::Main(argc, argv); }
