#include "engine/catalog/local_index.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/catalog/settings_json.h"
#include "engine/util/error.h"
#include "engine/util/murmur3.h"

namespace curlew::catalog {
namespace {

index::ShardOptions OptionsOfShard(const std::string& index, int shard,
                                   const IndexSettings& settings, const CatalogOptions& options) {
  index::ShardOptions out;
  out.index = index;
  out.shard = shard;
  out.refresh_interval = settings.refresh_interval;
  out.gc_deletes = settings.gc_deletes;
  out.buffer_bytes = options.buffer_bytes;
  out.buffer_budget = options.buffer_budget;
  out.flush_translog_bytes = options.flush_translog_bytes;
  out.stored = settings.stored;
  out.merged_stored = settings.merged_stored;
  out.merged_stored_threshold = settings.merged_stored_threshold;
  out.mapping_limits = settings.mapping_limits;
  if (options.on_shard_event) {
    out.on_event = [index, shard, tell = options.on_shard_event](index::ShardEvent event,
                                                                 const absl::Status& cause) {
      tell(index, shard, event, cause);
    };
  }
  return out;
}

}  // namespace

absl::StatusOr<std::shared_ptr<LocalIndex>> LocalIndex::Open(
    std::shared_ptr<store::Directory> directory, IndexMetadata metadata, IndexSettings settings,
    std::shared_ptr<const mapping::Mapping> mapping, Expect expect, const CatalogOptions& options,
    std::shared_ptr<translog::LogWriter> writer, ThreadPool* background) {
  std::shared_ptr<LocalIndex> index(new LocalIndex());
  index->directory_ = std::move(directory);
  index->metadata_ = std::move(metadata);
  index->settings_ = std::move(settings);
  LocalIndex* self = index.get();
  index->mapper_ = std::make_unique<mapping::MapperService>(
      std::move(mapping), index->settings_.mapping_limits, analysis::AnalyzerRegistry::BuiltIn(),
      [self](const std::string& mapping_json) {
        std::lock_guard lock(self->metadata_mutex_);
        if (self->deleted_) return IndexNotFound(self->name());
        std::string previous = std::exchange(self->metadata_.mapping_json, mapping_json);
        absl::Status status = self->metadata_.Write(*self->directory_);
        if (!status.ok()) self->metadata_.mapping_json = std::move(previous);
        return status;
      });
  std::vector<std::string> folders;
  if (expect == Expect::kThere) {
    CURLEW_ASSIGN_OR_RETURN(folders, index->directory_->ListSubs());
  }
  for (int shard = 0; shard < index->settings_.number_of_shards; ++shard) {
    const std::string name = fmt::format("{}", shard);
    if (expect == Expect::kThere &&
        std::find(folders.begin(), folders.end(), name) == folders.end()) {
      return Corruption(fmt::format("[{}/{}], the folder of a shard, is missing",
                                    index->directory_->path(), name));
    }
    CURLEW_ASSIGN_OR_RETURN(auto folder, index->directory_->Sub(name));
    index::ShardOptions shard_options =
        OptionsOfShard(index->name(), shard, index->settings_, options);
    shard_options.must_exist = expect == Expect::kThere;
    CURLEW_ASSIGN_OR_RETURN(
        auto opened, index::Shard::Open(std::move(folder), shard_options, index->mapper_.get(),
                                        writer, background));
    index->shards_.push_back(std::move(opened));
  }
  return index;
}

int LocalIndex::ShardNumberFor(std::string_view id, std::string_view routing) const {
  if (shards_.size() == 1) return 0;
  return ShardOf(routing.empty() ? id : routing, static_cast<int>(shards_.size()));
}

index::Shard& LocalIndex::ShardFor(std::string_view id, std::string_view routing) const {
  return *shards_[static_cast<size_t>(ShardNumberFor(id, routing))];
}

std::vector<std::unique_ptr<search::ShardSearch>> LocalIndex::OpenSearches(
    int64_t now_millis) const {
  std::vector<std::unique_ptr<search::ShardSearch>> searches;
  searches.reserve(shards_.size());
  for (size_t shard = 0; shard < shards_.size(); ++shard) {
    search::ShardContext context;
    context.index = name();
    context.shard = static_cast<int>(shard);
    // The snapshot first: every field that its documents have is in a mapping taken later.
    context.snapshot = shards_[shard]->snapshot();
    context.mapping = mapper_->current();
    context.analyzers = &analysis::AnalyzerRegistry::BuiltIn();
    context.now_millis = now_millis;
    searches.push_back(
        search::NewLocalShardSearch(std::move(context), settings_.max_result_window));
  }
  return searches;
}

std::string LocalIndex::DescribeJson() const {
  std::map<std::string, std::string> shown = settings_.given;
  shown.emplace("index.number_of_shards", fmt::format("{}", settings_.number_of_shards));
  shown.emplace("index.number_of_replicas", fmt::format("{}", settings_.number_of_replicas));
  shown["index.replication.type"] = "DOCUMENT";
  shown["index.creation_date"] = fmt::format("{}", created_millis());
  shown["index.provided_name"] = name();
  shown["index.uuid"] = uuid();
  return fmt::format(R"({{"aliases":{{}},"mappings":{},"settings":{}}})",
                     mapper_->current()->ToJson(), SettingsToJson(shown));
}

absl::Status LocalIndex::WriteMetadata() {
  std::lock_guard lock(metadata_mutex_);
  return metadata_.Write(*directory_);
}

void LocalIndex::CloseDeleted() {
  {
    std::lock_guard lock(metadata_mutex_);
    deleted_ = true;
  }
  Close(/*flush=*/false).IgnoreError();
}

absl::Status LocalIndex::Close(bool flush) {
  absl::Status first;
  for (const auto& shard : shards_) first.Update(shard->Close(flush));
  return first;
}

}  // namespace curlew::catalog
