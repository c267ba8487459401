#include "bench/support/local_shard.h"

#include <chrono>
#include <vector>

#include "engine/analysis/registry.h"
#include "engine/store/real_directory.h"
#include "engine/util/error.h"

namespace curlew::bench {

absl::StatusOr<std::unique_ptr<LocalShard>> LocalShard::Open(const std::string& folder,
                                                             std::string_view mapping_json,
                                                             uint64_t buffer_bytes) {
  std::unique_ptr<LocalShard> local(new LocalShard());
  const auto& analyzers = analysis::AnalyzerRegistry::BuiltIn();
  CURLEW_ASSIGN_OR_RETURN(auto mapping, mapping::Mapping::Parse(mapping_json, analyzers, {}));
  local->mapper_ =
      std::make_unique<mapping::MapperService>(mapping, mapping::MappingLimits{}, analyzers,
                                               [](const std::string&) { return absl::OkStatus(); });
  CURLEW_ASSIGN_OR_RETURN(auto directory, store::OpenRealDirectory(folder));
  index::ShardOptions options;
  options.index = "bench";
  options.refresh_interval = std::chrono::milliseconds(-1);
  options.buffer_bytes = buffer_bytes;
  CURLEW_ASSIGN_OR_RETURN(local->shard_,
                          index::Shard::Open(std::move(directory), options, local->mapper_.get(),
                                             local->writer_, &local->pool_));
  return local;
}

LocalShard::~LocalShard() {
  if (shard_ != nullptr) shard_->Close(false).IgnoreError();
}

absl::Status LocalShard::Index(std::span<const LocalDocument> documents) {
  std::vector<index::Operation> operations(documents.size());
  for (size_t i = 0; i < documents.size(); ++i) {
    operations[i].id = documents[i].id;
    operations[i].source = documents[i].source;
  }
  std::vector<index::OperationResult> results(operations.size());
  const index::ApplyOutcome outcome = shard_->Apply(operations, results);
  for (const index::OperationResult& result : results) CURLEW_RETURN_IF_ERROR(result.status);
  return shard_->WaitDurable(outcome.ticket);
}

absl::Status LocalShard::Delete(std::string_view id) {
  index::Operation operation;
  operation.type = index::OpType::kDelete;
  operation.id = id;
  index::OperationResult result;
  const index::ApplyOutcome outcome = shard_->Apply({&operation, 1}, {&result, 1});
  CURLEW_RETURN_IF_ERROR(result.status);
  return shard_->WaitDurable(outcome.ticket);
}

absl::Status LocalShard::MergeAll() {
  CURLEW_RETURN_IF_ERROR(shard_->ForceMerge({.max_segments = 1}));
  return shard_->Flush();
}

search::ShardContext LocalShard::Context() const {
  search::ShardContext context;
  context.index = "bench";
  context.mapping = mapper_->current();
  context.snapshot = shard_->snapshot();
  context.analyzers = &analysis::AnalyzerRegistry::BuiltIn();
  return context;
}

uint64_t LocalShard::segment_bytes() const {
  uint64_t bytes = 0;
  for (const index::SnapshotSegment& segment : shard_->snapshot()->segments) {
    bytes += segment.reader->info().size_bytes;
  }
  return bytes;
}

}  // namespace curlew::bench
