#include "engine/translog/recovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "engine/translog/checkpoint.h"
#include "engine/translog/generation_file.h"
#include "engine/translog/generation_scan.h"
#include "engine/util/error.h"

namespace curlew::translog {
namespace {

// The generations whose files are there, in order. Deletes temporary files.
absl::StatusOr<std::vector<uint64_t>> FindGenerations(store::Directory& directory) {
  CURLEW_ASSIGN_OR_RETURN(const auto names, directory.List());
  std::vector<uint64_t> generations;
  for (const std::string& name : names) {
    if (name.ends_with(".tmp")) CURLEW_RETURN_IF_ERROR(directory.Delete(name));
    if (const auto generation = ParseGenerationName(name)) generations.push_back(*generation);
  }
  std::sort(generations.begin(), generations.end());
  return generations;
}

// The checkpoint's oldest generation; a log that is new gets its checkpoint first of all.
absl::StatusOr<uint64_t> OldestGeneration(store::Directory& directory, bool has_generations) {
  auto oldest = ReadCheckpoint(directory);
  if (oldest.ok() || oldest.status().code() != absl::StatusCode::kNotFound) return oldest;
  if (has_generations) {
    return Corruption(fmt::format("[{}/{}] is missing, although there are generations",
                                  directory.path(), kCheckpointName));
  }
  CURLEW_RETURN_IF_ERROR(WriteCheckpoint(directory, 1));
  return 1;
}

// Puts an end behind the last sound record; syncs in any case.
absl::Status CloseLast(store::Directory& directory, const std::string& name,
                       const GenerationScan& scan) {
  if (scan.ended) return directory.SyncFile(name);
  CURLEW_ASSIGN_OR_RETURN(auto file, directory.OpenLog(name, 0));
  std::string end(kMarkSize, '\0');
  WriteMark(end.data(), RecordType::kEnd, scan.operations, scan.seed);
  CURLEW_RETURN_IF_ERROR(file->WriteAt(scan.end, end));
  CURLEW_RETURN_IF_ERROR(file->DataSync());
  return file->Close();
}

}  // namespace

absl::StatusOr<RecoveredLog> RecoverLog(store::Directory& directory, bool must_exist) {
  // A process that was killed may have renamed files that nobody has synced. First of all, since a
  // power loss could otherwise undo the new checkpoint and keep the deletions that follow from it.
  CURLEW_RETURN_IF_ERROR(directory.SyncDirectory());
  CURLEW_ASSIGN_OR_RETURN(const auto found, FindGenerations(directory));
  if (must_exist && found.empty()) {
    return Corruption(fmt::format("[{}] has no generation of the log", directory.path()));
  }
  CURLEW_ASSIGN_OR_RETURN(const uint64_t oldest, OldestGeneration(directory, !found.empty()));

  RecoveredLog log;
  uint64_t expected = oldest;
  for (const uint64_t generation : found) {
    const std::string name = GenerationName(generation);
    if (generation < oldest) {
      CURLEW_RETURN_IF_ERROR(directory.Delete(name));
      continue;
    }
    if (generation != expected) break;
    ++expected;
    const bool last = generation == found.back();
    CURLEW_ASSIGN_OR_RETURN(const auto file, directory.Open(name));
    CURLEW_ASSIGN_OR_RETURN(
        const GenerationScan scan,
        ScanGeneration(file->view(), generation, last, directory.path() + "/" + name, nullptr));
    log.generations.push_back({generation, scan.operations, scan.bytes});
    if (!last) continue;
    log.last_is_blank = scan.blank;
    log.last_seed = scan.seed;
    if (!scan.blank) CURLEW_RETURN_IF_ERROR(CloseLast(directory, name, scan));
  }
  const bool gap = !found.empty() && found.back() >= oldest && found.back() + 1 != expected;
  // The first generation is created just after the checkpoint, so it alone may be missing.
  if (gap || (log.generations.empty() && oldest != 1)) {
    return Corruption(
        fmt::format("[{}/{}] is missing", directory.path(), GenerationName(expected)));
  }
  return log;
}

}  // namespace curlew::translog
