#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/printable.h"
#include "engine/catalog/check_folder.h"
#include "engine/util/error.h"

namespace curlew::cli {
namespace {

using Problems = std::vector<store::FileProblem>;

// For people: a line for each part, problems below the part that they are of.
class Text {
 public:
  void Index(const catalog::IndexCheck& index) {
    out_ += fmt::format("index {} ({})\n", index.name.empty() ? "[unknown]" : Printable(index.name),
                        Printable(index.path));
    List("PROBLEM", index.problems, "  ");
    List("note", index.remarks, "  ");
    for (const auto& [number, shard] : index.shards) {
      out_ += fmt::format("  shard {}: commit point {}, sequence numbers to {}\n", number,
                          shard.commit.empty() ? "[none]" : shard.commit, shard.max_seq_no);
      List("PROBLEM", shard.problems, "    ");
      for (const index::SegmentCheck& segment : shard.segments) {
        out_ += fmt::format("    segment {}: {} documents, {} deleted, {} bytes, {}: {}\n",
                            Printable(segment.name), segment.docs, segment.deleted, segment.bytes,
                            Printable(segment.stored_codec), State(segment.problems));
        List("PROBLEM", segment.problems, "      ");
      }
      const translog::TranslogCheck& log = shard.translog;
      out_ += fmt::format("    translog: {} operations, {} bytes: {}\n", log.operations, log.bytes,
                          State(log.problems));
      List("PROBLEM", log.problems, "      ");
      List("note", log.remarks, "      ");
      List("note", shard.remarks, "    ");
    }
  }
  void List(std::string_view word, const Problems& problems, std::string_view indent) {
    for (const store::FileProblem& problem : problems) {
      out_ += fmt::format("{}{}: {}: {}\n", indent, word, Printable(problem.file),
                          Printable(problem.what));
    }
  }
  void Line(std::string_view line) { out_.append(line).append("\n"); }
  const std::string& out() const { return out_; }

 private:
  static std::string State(const Problems& problems) { return problems.empty() ? "ok" : "DAMAGED"; }

  std::string out_;
};

// Of what is printable only quotes need care.
std::string JsonText(std::string_view text) {
  std::string out = "\"";
  for (const char c : Printable(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string ListJson(const Problems& problems) {
  std::vector<std::string> items;
  for (const store::FileProblem& problem : problems) {
    items.push_back(
        fmt::format(R"({{"file":{},"what":{}}})", JsonText(problem.file), JsonText(problem.what)));
  }
  return fmt::format("[{}]", fmt::join(items, ","));
}

std::string ShardJson(const catalog::NumberedShardCheck& numbered) {
  const index::ShardCheck& shard = numbered.check;
  std::vector<std::string> segments;
  for (const index::SegmentCheck& segment : shard.segments) {
    segments.push_back(fmt::format(
        R"({{"name":{},"docs":{},"deleted":{},"bytes":{},"stored_codec":{},"problems":{}}})",
        JsonText(segment.name), segment.docs, segment.deleted, segment.bytes,
        JsonText(segment.stored_codec), ListJson(segment.problems)));
  }
  const translog::TranslogCheck& log = shard.translog;
  return fmt::format(
      R"({{"shard":{},"commit":{},"max_seq_no":{},"local_checkpoint":{},"segments":[{}],)"
      R"("translog":{{"operations":{},"bytes":{},"problems":{},"notes":{}}},)"
      R"("problems":{},"notes":{}}})",
      numbered.shard, JsonText(shard.commit), shard.max_seq_no, shard.local_checkpoint,
      fmt::join(segments, ","), log.operations, log.bytes, ListJson(log.problems),
      ListJson(log.remarks), ListJson(shard.problems), ListJson(shard.remarks));
}

std::string CheckJson(const catalog::FolderCheck& check) {
  std::vector<std::string> indexes;
  for (const catalog::IndexCheck& index : check.indexes) {
    std::vector<std::string> shards;
    for (const auto& shard : index.shards) shards.push_back(ShardJson(shard));
    indexes.push_back(
        fmt::format(R"({{"name":{},"path":{},"shards":[{}],"problems":{},"notes":{}}})",
                    JsonText(index.name), JsonText(index.path), fmt::join(shards, ","),
                    ListJson(index.problems), ListJson(index.remarks)));
  }
  return fmt::format(R"({{"ok":{},"problem_count":{},"indexes":[{}],"problems":{},"notes":{}}})",
                     check.problem_count() == 0, check.problem_count(), fmt::join(indexes, ","),
                     ListJson(check.problems), ListJson(check.remarks));
}

void RunCheck(Context& context, const std::string& path, bool json) {
  const auto check = catalog::CheckFolder(path);
  if (!check.ok()) {
    const ErrorDetails details = DescribeError(check.status());
    const bool locked = details.type == "illegal_state_exception";
    throw CommandError(
        kFailed, Printable(details.reason) +
                     (locked ? "; stop the server first, or check a copy of the folder" : ""));
  }
  const uint64_t problems = check->problem_count();
  if (json) {
    std::cout << CheckJson(*check) << std::endl;
  } else {
    Text text;
    text.List("PROBLEM", check->problems, "");
    text.List("note", check->remarks, "");
    for (const catalog::IndexCheck& index : check->indexes) text.Index(index);
    text.Line(problems == 0
                  ? "no problems"
                  : fmt::format("{} {}", problems, problems == 1 ? "problem" : "problems"));
    std::cout << text.out() << std::flush;
  }
  if (problems != 0) context.exit_code = kFailed;
}

}  // namespace

void AddCheckCommand(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "check",
      "Reads all that is in a data folder, an index's folder or a shard's from end to end and says "
      "what is wrong (exit code 1). Needs no server, and none may have the folder open; changes "
      "nothing");
  auto path = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command->add_option("path", *path, "The folder")->required();
  command->add_flag("--json", *json, "Prints one JSON object");
  command->callback([&context, path, json] { RunCheck(context, *path, *json); });
}

}  // namespace curlew::cli
