#include "engine/catalog/catalog.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <random>
#include <shared_mutex>

#include "engine/catalog/index_folders.h"
#include "engine/catalog/index_metadata.h"
#include "engine/catalog/local_index.h"
#include "engine/catalog/resolve.h"
#include "engine/util/error.h"
#include "engine/util/json_error.h"

namespace curlew::catalog {
namespace {

// 22 characters of URL-safe base64: 128 random bits.
std::string NewUuid() {
  static constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::random_device device;
  std::string uuid(22, '\0');
  for (char& c : uuid) c = kAlphabet[device() % 64];
  return uuid;
}

// The parts of a create-index body, as JSON.
struct IndexBody {
  std::string settings;
  std::string mappings;
};

absl::StatusOr<IndexBody> ParseBody(std::string_view json) {
  IndexBody body;
  if (json.empty()) return body;
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (const auto error = parser.parse(simdjson::padded_string(json)).get(root); error) {
    return MakeError(
        "parse_exception", 400,
        fmt::format("request body is not valid JSON: {}", DescribeJsonError(error, json)));
  }
  if (!root.is_object()) {
    return MakeError("parse_exception", 400, "request body must be an object");
  }
  const simdjson::dom::object members = root.get_object().value_unsafe();
  for (const auto [key, value] : members) {
    if (!value.is_object()) {
      return MakeError("parse_exception", 400,
                       fmt::format("key [{}] must be an object", Clip(key)));
    }
    if (key == "settings") {
      body.settings = simdjson::minify(value);
    } else if (key == "mappings") {
      body.mappings = simdjson::minify(value);
    } else if (key == "aliases") {
      if (value.get_object().value_unsafe().size() > 0) {
        return Unsupported("[aliases] of an index are not supported yet");
      }
    } else {
      return MakeError("parse_exception", 400,
                       fmt::format("unknown key [{}] for create index", Clip(key)));
    }
  }
  return body;
}

class CatalogImpl : public Catalog {
 public:
  CatalogImpl(std::shared_ptr<store::Directory> indices, const CatalogOptions& options,
              ThreadPool* background)
      : folders_(std::move(indices)),
        options_(options),
        background_(background),
        writer_(std::make_shared<translog::LogWriter>()) {}

  ~CatalogImpl() override { Close().IgnoreError(); }

  absl::Status OpenAll() {
    CURLEW_ASSIGN_OR_RETURN(const std::vector<IndexFolders::Found> found, folders_.Recover());
    for (const IndexFolders::Found& each : found) OpenFolder(each);
    return absl::OkStatus();
  }

  absl::StatusOr<std::shared_ptr<Index>> Create(const std::string& name,
                                                std::string_view body_json) override {
    CURLEW_RETURN_IF_ERROR(CheckIndexName(name));
    CURLEW_ASSIGN_OR_RETURN(IndexBody body, ParseBody(body_json));
    CURLEW_ASSIGN_OR_RETURN(IndexSettings settings, IndexSettings::Parse(body.settings));
    CURLEW_ASSIGN_OR_RETURN(
        auto mapping, mapping::Mapping::Parse(body.mappings, analysis::AnalyzerRegistry::BuiltIn(),
                                              settings.mapping_limits));
    // One creation or deletion at a time; look-ups go on.
    std::lock_guard changing(change_mutex_);
    CURLEW_RETURN_IF_ERROR(CheckFree(name));

    IndexMetadata metadata;
    metadata.name = name;
    metadata.uuid = NewUuid();
    metadata.created_millis = std::chrono::duration_cast<std::chrono::milliseconds>(
                                  std::chrono::system_clock::now().time_since_epoch())
                                  .count();
    metadata.settings = settings.given;
    metadata.mapping_json = mapping->ToJson();
    const std::string uuid = metadata.uuid;
    auto index = CreateFiles(std::move(metadata), std::move(settings), std::move(mapping));
    if (!index.ok()) {
      folders_.Remove(uuid, [] {}).IgnoreError();
      return index.status();
    }
    std::unique_lock lock(mutex_);
    by_name_.emplace(name, *index);
    return std::shared_ptr<Index>(*std::move(index));
  }

  absl::StatusOr<std::shared_ptr<Index>> GetOrCreate(const std::string& name) override {
    auto found = Get(name);
    if (found.ok() || !absl::IsNotFound(found.status()) || !options_.auto_create_index)
      return found;
    auto created = Create(name, "");
    // Another request may have been quicker.
    if (!created.ok() &&
        DescribeError(created.status()).type == "resource_already_exists_exception") {
      return Get(name);
    }
    return created;
  }

  absl::StatusOr<std::shared_ptr<Index>> Get(std::string_view name) const override {
    std::shared_lock lock(mutex_);
    if (const auto it = by_name_.find(name); it != by_name_.end()) {
      return std::shared_ptr<Index>(it->second);
    }
    if (const auto it = failed_.find(name); it != failed_.end()) return it->second.status;
    return IndexNotFound(name);
  }

  absl::Status Delete(const std::vector<std::string>& names, bool ignore_unavailable) override {
    if (names.empty()) return ValidationError("Validation Failed: 1: index / indices is missing;");
    ResolveOptions options;
    options.ignore_unavailable = ignore_unavailable;
    if (options_.destructive_requires_name && HasPattern(names)) {
      return IllegalArgument("Wildcard expressions or all indices are not allowed");
    }
    std::lock_guard changing(change_mutex_);
    CURLEW_ASSIGN_OR_RETURN(const std::set<std::string> found,
                            ResolveNames(names, ExistingNames(), options));
    for (const std::string& name : found) CURLEW_RETURN_IF_ERROR(DeleteOne(name));
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<std::shared_ptr<Index>>> Resolve(
      const std::vector<std::string>& names, const ResolveOptions& options) const override {
    // The usual case, one plain name, needs no list of all.
    if (names.size() == 1 && !options.ignore_unavailable &&
        names[0].find_first_of("*,") == std::string::npos && names[0] != "_all") {
      CURLEW_ASSIGN_OR_RETURN(auto index, Get(names[0]));
      return std::vector<std::shared_ptr<Index>>{std::move(index)};
    }
    CURLEW_ASSIGN_OR_RETURN(const std::set<std::string> found,
                            ResolveNames(names, ExistingNames(), options));
    std::vector<std::shared_ptr<Index>> indexes;
    for (const std::string& name : found) {
      auto index = Get(name);
      if (index.ok()) {
        indexes.push_back(*std::move(index));
      } else if (!options.skip_failed && IsFailed(name)) {
        return index.status();
      }  // else it has been deleted since the list was made
    }
    return indexes;
  }

  std::vector<std::pair<std::string, absl::Status>> failed() const override {
    std::shared_lock lock(mutex_);
    std::vector<std::pair<std::string, absl::Status>> out;
    for (const auto& [name, failure] : failed_) out.emplace_back(name, failure.status);
    return out;
  }

  absl::Status Close() override {
    std::lock_guard changing(change_mutex_);
    std::map<std::string, std::shared_ptr<LocalIndex>, std::less<>> closing;
    {
      std::unique_lock lock(mutex_);
      closing.swap(by_name_);
    }
    absl::Status first;
    for (const auto& [name, index] : closing) first.Update(index->Close(/*flush=*/true));
    return first;
  }

 private:
  // An index on disk that could not be opened.
  struct Failure {
    std::string folder;
    absl::Status status;
  };

  std::set<std::string, std::less<>> ExistingNames() const {
    std::shared_lock lock(mutex_);
    std::set<std::string, std::less<>> names;
    for (const auto& [name, index] : by_name_) names.insert(name);
    for (const auto& [name, failure] : failed_) names.insert(name);
    return names;
  }

  bool IsFailed(std::string_view name) const {
    std::shared_lock lock(mutex_);
    return failed_.contains(name);
  }

  absl::Status CheckFree(const std::string& name) const {
    std::shared_lock lock(mutex_);
    const auto it = by_name_.find(name);
    if (it == by_name_.end() && !failed_.contains(name)) return absl::OkStatus();
    const std::string uuid = it == by_name_.end() ? "_na_" : it->second->uuid();
    ErrorDetails details;
    details.type = "resource_already_exists_exception";
    details.rest_status = 400;
    details.reason = fmt::format("index [{}/{}] already exists", name, uuid);
    details.metadata = {{"index", name}, {"index_uuid", uuid}};
    return MakeError(std::move(details));
  }

  // Puts what is in the folder into one of the two lists.
  void OpenFolder(const IndexFolders::Found& found) {
    const std::string& folder = found.folder;
    const auto fail = [&](const std::string& name, const absl::Status& status) {
      failed_.insert_or_assign(name, Failure{folder, status});
    };
    if (!found.status.ok()) return fail(folder, found.status);
    auto directory = folders_.Open(folder);
    if (!directory.ok()) return fail(folder, directory.status());
    auto metadata = IndexMetadata::Read(**directory);
    if (absl::IsNotFound(metadata.status())) {
      // Neither a creation nor a deletion leaves this behind.
      return fail(
          folder,
          WithCause(Corruption(fmt::format("{} has lost its {}; the index's other files are kept",
                                           (*directory)->path(), IndexMetadata::kFileName)),
                    metadata.status()));
    }
    if (!metadata.ok()) return fail(folder, metadata.status());
    const std::string name = metadata->name;
    if (metadata->uuid != folder || by_name_.contains(name) || failed_.contains(name)) {
      // A folder that somebody has copied or renamed.
      return fail(folder,
                  Corruption(fmt::format("{}: holds a second index named [{}], or one "
                                         "of another folder [{}]",
                                         (*directory)->path(), Clip(name), Clip(metadata->uuid))));
    }
    auto index = OpenExisting(*std::move(directory), *std::move(metadata));
    if (!index.ok()) return fail(name, index.status());
    by_name_.emplace(name, *std::move(index));
  }

  absl::StatusOr<std::shared_ptr<LocalIndex>> OpenExisting(
      std::shared_ptr<store::Directory> directory, IndexMetadata metadata) {
    CURLEW_ASSIGN_OR_RETURN(IndexSettings settings, IndexSettings::FromGiven(metadata.settings));
    CURLEW_ASSIGN_OR_RETURN(
        auto mapping,
        mapping::Mapping::Parse(metadata.mapping_json, analysis::AnalyzerRegistry::BuiltIn(),
                                settings.mapping_limits));
    return LocalIndex::Open(std::move(directory), std::move(metadata), std::move(settings),
                            std::move(mapping), LocalIndex::Expect::kThere, options_, writer_,
                            background_);
  }

  // The metadata comes last: without it a creation that was cut short is undone.
  absl::StatusOr<std::shared_ptr<LocalIndex>> CreateFiles(
      IndexMetadata metadata, IndexSettings settings,
      std::shared_ptr<const mapping::Mapping> mapping) {
    const std::string folder = metadata.uuid;
    CURLEW_ASSIGN_OR_RETURN(auto directory, folders_.StartCreation(folder));
    CURLEW_ASSIGN_OR_RETURN(
        auto index, LocalIndex::Open(std::move(directory), std::move(metadata), std::move(settings),
                                     std::move(mapping), LocalIndex::Expect::kNew, options_,
                                     writer_, background_));
    CURLEW_RETURN_IF_ERROR(index->WriteMetadata());
    CURLEW_RETURN_IF_ERROR(folders_.FinishCreation(folder));
    return index;
  }

  // Under change_mutex_. An index that is still whole when its deletion fails stays in the list, so
  // that it can be tried again.
  absl::Status DeleteOne(const std::string& name) {
    std::shared_ptr<LocalIndex> index;
    std::string folder;
    {
      std::shared_lock lock(mutex_);
      if (const auto it = by_name_.find(name); it != by_name_.end()) {
        index = it->second;
        folder = index->uuid();
      } else if (const auto failed = failed_.find(name); failed != failed_.end()) {
        // The way out when an index's files are beyond repair.
        folder = failed->second.folder;
      } else {
        return IndexNotFound(name);
      }
    }
    return folders_.Remove(folder, [&] {
      {
        std::unique_lock lock(mutex_);
        by_name_.erase(name);
        failed_.erase(name);
      }
      // Calls that still use the index keep it alive and fail on its closed shards.
      if (index != nullptr) index->CloseDeleted();
    });
  }

  IndexFolders folders_;  // under change_mutex_, but for the start
  const CatalogOptions options_;
  ThreadPool* const background_;
  const std::shared_ptr<translog::LogWriter> writer_;

  std::mutex change_mutex_;  // taken before mutex_
  mutable std::shared_mutex mutex_;
  std::map<std::string, std::shared_ptr<LocalIndex>, std::less<>> by_name_;
  std::map<std::string, Failure, std::less<>> failed_;  // by name, or by folder when unreadable
};

}  // namespace

absl::StatusOr<std::unique_ptr<Catalog>> Catalog::Open(std::shared_ptr<store::Directory> data,
                                                       const CatalogOptions& options,
                                                       ThreadPool* background) {
  CURLEW_ASSIGN_OR_RETURN(auto indices, data->Sub("indices"));
  CURLEW_RETURN_IF_ERROR(data->SyncDirectory());
  auto catalog = std::make_unique<CatalogImpl>(std::move(indices), options, background);
  CURLEW_RETURN_IF_ERROR(catalog->OpenAll());
  return catalog;
}

}  // namespace curlew::catalog
