#include "engine/catalog/check_folder.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/catalog/index_folders.h"
#include "engine/catalog/index_metadata.h"
#include "engine/catalog/index_settings.h"
#include "engine/index/commit_point.h"
#include "engine/store/read_only_directory.h"
#include "engine/store/real_directory.h"
#include "engine/util/error.h"

namespace curlew::catalog {
namespace {

constexpr char kIndices[] = "indices";
constexpr char kTranslog[] = "translog";

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<int> ShardNumber(const std::string& folder) {
  int number = -1;
  const auto [end, error] = std::from_chars(folder.data(), folder.data() + folder.size(), number);
  // "01" is no folder of a shard's.
  if (error != std::errc() || number < 0 || fmt::format("{}", number) != folder) {
    return std::nullopt;
  }
  return number;
}

// What the metadata says; the parts of it that cannot be read are problems.
struct Described {
  std::optional<IndexMetadata> metadata;
  std::optional<IndexSettings> settings;
  std::shared_ptr<const mapping::Mapping> mapping;
};

Described Describe(store::Directory& directory, IndexCheck& check) {
  Described described;
  store::FileProblems problems(IndexMetadata::kFileName);
  auto metadata = IndexMetadata::Read(directory);
  if (metadata.ok()) {
    check.name = metadata->name;
    if (auto settings = IndexSettings::FromGiven(metadata->settings); settings.ok()) {
      described.settings = *std::move(settings);
    } else {
      problems.AddError(directory, settings.status());
    }
    const mapping::MappingLimits limits =
        described.settings ? described.settings->mapping_limits : mapping::MappingLimits();
    auto mapping = mapping::Mapping::Parse(metadata->mapping_json,
                                           analysis::AnalyzerRegistry::BuiltIn(), limits);
    if (mapping.ok()) {
      described.mapping = *std::move(mapping);
    } else {
      problems.AddError(directory, mapping.status());
    }
    described.metadata = *std::move(metadata);
  } else if (absl::IsNotFound(metadata.status())) {
    problems.Add("is missing");
  } else {
    problems.AddError(directory, metadata.status());
  }
  store::AppendProblems(check.problems, std::move(problems).Take());
  return described;
}

FolderCheck CheckData(store::Directory& data) {
  FolderCheck check;
  const auto fail = [&](const std::string& file, const absl::Status& status) {
    check.problems.push_back({file, DescribeError(status).reason});
    return check;
  };
  const auto indices = data.Sub(kIndices);
  if (!indices.ok()) return fail(kIndices, indices.status());
  const auto files = (*indices)->List();
  if (!files.ok()) return fail(kIndices, files.status());
  const auto folders = (*indices)->ListSubs();
  if (!folders.ok()) return fail(kIndices, folders.status());
  std::map<std::string, std::string> folder_of;  // of an index's name
  for (const std::string& folder : *folders) {
    const auto directory = (*indices)->Sub(folder);
    if (!directory.ok()) {
      check.problems.push_back({folder, DescribeError(directory.status()).reason});
      continue;
    }
    if (Contains(*files, folder + IndexFolders::kDeleted)) {
      check.remarks.push_back({folder, "is of a deleted index: the next start removes it"});
      continue;
    }
    const auto whole = (*directory)->Exists(IndexMetadata::kFileName);
    if (Contains(*files, folder + IndexFolders::kCreating) && whole.ok() && !*whole) {
      check.remarks.push_back({folder, "was not finished: the next start removes it"});
      continue;
    }
    check.indexes.push_back(CheckIndex(*directory));
    IndexCheck& index = check.indexes.back();
    if (index.name.empty()) continue;
    if (const auto [it, added] = folder_of.emplace(index.name, folder); !added) {
      index.problems.push_back(
          {IndexMetadata::kFileName, fmt::format("is of an index [{}], and so is that in folder {}",
                                                 Clip(index.name), it->second)});
    }
  }
  std::sort(check.indexes.begin(), check.indexes.end(),
            [](const IndexCheck& a, const IndexCheck& b) { return a.name < b.name; });
  return check;
}

// The lock of the data folder that `path` is, or lies in; null when there is none.
absl::StatusOr<std::unique_ptr<store::FolderLock>> LockAround(const std::filesystem::path& path) {
  std::filesystem::path folder = path;
  for (int level = 0; level < 4; ++level, folder = folder.parent_path()) {
    std::error_code error;
    if (!std::filesystem::is_directory(folder / kIndices, error)) continue;
    return store::FolderLock::AcquireShared(folder.string());
  }
  return store::FolderLock::AcquireShared(path.string());
}

}  // namespace

uint64_t IndexCheck::problem_count() const {
  uint64_t count = problems.size();
  for (const NumberedShardCheck& shard : shards) count += shard.check.problem_count();
  return count;
}

uint64_t FolderCheck::problem_count() const {
  uint64_t count = problems.size();
  for (const IndexCheck& index : indexes) count += index.problem_count();
  return count;
}

IndexCheck CheckIndex(const std::shared_ptr<store::Directory>& directory, int only_shard) {
  IndexCheck check;
  check.path = directory->path();
  const Described described = Describe(*directory, check);
  const std::string folder = std::filesystem::path(check.path).filename().string();
  const std::string above = std::filesystem::path(check.path).parent_path().filename().string();
  // A copy elsewhere may have any name.
  if (above == kIndices && described.metadata && described.metadata->uuid != folder) {
    check.problems.push_back(
        {IndexMetadata::kFileName, fmt::format("is of the index in folder {}, not in {}",
                                               Clip(described.metadata->uuid), folder)});
  }
  const auto folders = directory->ListSubs();
  if (!folders.ok()) {
    check.problems.push_back({".", DescribeError(folders.status()).reason});
    return check;
  }
  std::set<int> shards;
  for (const std::string& name : *folders) {
    if (const auto number = ShardNumber(name)) {
      shards.insert(*number);
    } else {
      check.remarks.push_back({name, "is no folder of a shard"});
    }
  }
  index::ShardPlace place;
  place.mapping = described.mapping.get();
  if (described.settings) {
    place.shard_count = described.settings->number_of_shards;
    for (int shard = 0; shard < place.shard_count; ++shard) shards.insert(shard);
  }
  for (const int shard : shards) {
    if (only_shard >= 0 && shard != only_shard) continue;
    const std::string name = fmt::format("{}", shard);
    if (place.shard_count > 0 && shard >= place.shard_count) {
      check.remarks.push_back(
          {name, fmt::format("is not one of the index's {} shards", place.shard_count)});
      continue;
    }
    auto sub = directory->Sub(name);
    if (!sub.ok()) {
      check.problems.push_back({name, "the folder of the shard is missing"});
      continue;
    }
    place.shard = shard;
    check.shards.push_back({shard, index::CheckShard(*std::move(sub), place)});
  }
  return check;
}

absl::StatusOr<FolderCheck> CheckFolder(const std::string& path) {
  std::error_code error;
  const std::filesystem::path found = std::filesystem::canonical(path, error);
  if (error) return absl::NotFoundError(fmt::format("there is no folder [{}]", path));
  CURLEW_ASSIGN_OR_RETURN(const auto directory, store::OpenReadOnlyDirectory(found.string()));
  CURLEW_ASSIGN_OR_RETURN(const std::unique_ptr<store::FolderLock> lock, LockAround(found));
  CURLEW_ASSIGN_OR_RETURN(const std::vector<std::string> files, directory->List());
  CURLEW_ASSIGN_OR_RETURN(const std::vector<std::string> folders, directory->ListSubs());
  if (Contains(folders, kIndices)) return CheckData(*directory);

  FolderCheck check;
  const std::optional<int> shard = ShardNumber(found.filename().string());
  const bool of_index = Contains(files, IndexMetadata::kFileName) || Contains(folders, "0") ||
                        found.parent_path().filename() == kIndices;
  const bool of_shard =
      Contains(folders, kTranslog) || std::any_of(files.begin(), files.end(), [](const auto& file) {
        return index::CommitGenerationOfFile(file).has_value();
      });
  const bool beside_metadata =
      shard && std::filesystem::exists(found.parent_path() / IndexMetadata::kFileName, error);
  if (of_index && !of_shard) {
    check.indexes.push_back(CheckIndex(directory));
  } else if (beside_metadata) {
    CURLEW_ASSIGN_OR_RETURN(const auto index,
                            store::OpenReadOnlyDirectory(found.parent_path().string()));
    check.indexes.push_back(CheckIndex(index, *shard));
  } else if (of_shard) {
    IndexCheck index;
    index.path = directory->path();
    index.shards.push_back({shard.value_or(0), index::CheckShard(directory, {})});
    check.indexes.push_back(std::move(index));
  } else if (lock != nullptr) {
    check.remarks.push_back({".", "holds no index yet"});
  } else {
    return IllegalArgument(
        fmt::format("[{}] is no data folder, and neither an index's folder nor a shard's", path));
  }
  return check;
}

}  // namespace curlew::catalog
