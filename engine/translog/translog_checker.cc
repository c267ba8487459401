#include "engine/translog/translog_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "engine/translog/checkpoint.h"
#include "engine/translog/generation_file.h"
#include "engine/translog/generation_scan.h"
#include "engine/util/error.h"

namespace curlew::translog {
namespace {

constexpr char kFolder[] = "translog";

void CheckGeneration(store::Directory& directory, uint64_t generation, bool last,
                     TranslogCheck& check) {
  const std::string name = GenerationName(generation);
  store::FileProblems problems(name);
  const auto file = directory.Open(name);
  if (!file.ok()) {
    problems.AddError(directory, file.status());
  } else {
    const std::string_view bytes = (*file)->view();
    // With a visitor it looks into the operations, too.
    const auto scan = ScanGeneration(bytes, generation, last, name,
                                     [](const Operation&) { return absl::OkStatus(); });
    if (!scan.ok()) {
      problems.AddError(directory, scan.status());
    } else {
      check.operations += scan->operations;
      check.bytes += scan->bytes;
      if (!scan->ended && bytes.find_first_not_of('\0', scan->end) != std::string_view::npos) {
        check.remarks.push_back(
            {name, fmt::format("what is behind offset {} was never acknowledged: the next start "
                               "cuts it off",
                               scan->end)});
      }
    }
  }
  store::AppendProblems(check.problems, std::move(problems).Take());
}

}  // namespace

TranslogCheck CheckTranslog(store::Directory& directory) {
  TranslogCheck check;
  const auto names = directory.List();
  if (!names.ok()) {
    check.problems.push_back({kFolder, DescribeError(names.status()).reason});
    return check;
  }
  std::vector<uint64_t> generations;
  for (const std::string& name : *names) {
    if (name.ends_with(".tmp")) {
      check.remarks.push_back({name, "was not finished: the next start deletes it"});
    } else if (const auto generation = ParseGenerationName(name)) {
      generations.push_back(*generation);
    }
  }
  std::sort(generations.begin(), generations.end());

  store::FileProblems checkpoint(kCheckpointName);
  const auto oldest = ReadCheckpoint(directory);
  if (absl::IsNotFound(oldest.status())) {
    checkpoint.Add("is missing");
  } else if (!oldest.ok()) {
    checkpoint.AddError(directory, oldest.status());
  }
  store::AppendProblems(check.problems, std::move(checkpoint).Take());
  // Without it every generation may be needed.
  uint64_t expected = oldest.ok() ? *oldest : generations.empty() ? 1 : generations.front();
  if (generations.empty() || generations.back() < expected) {
    check.problems.push_back({GenerationName(expected), "is missing"});
    return check;
  }
  check.oldest_generation = expected;
  check.newest_generation = generations.back();
  for (const uint64_t generation : generations) {
    if (generation < check.oldest_generation) {
      check.remarks.push_back(
          {GenerationName(generation), "is not needed: the next start deletes it"});
      continue;
    }
    if (generation > expected) {
      check.problems.push_back(
          {GenerationName(expected),
           generation - expected == 1
               ? std::string("is missing")
               : fmt::format("is missing, and so are all up to {}", generation - 1)});
    }
    expected = generation + 1;
    CheckGeneration(directory, generation, generation == generations.back(), check);
  }
  return check;
}

}  // namespace curlew::translog
