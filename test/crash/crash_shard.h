// The shard of the crash loop: one for the writer and for whoever looks at what is left.
#ifndef CURLEW_TEST_CRASH_CRASH_SHARD_H_
#define CURLEW_TEST_CRASH_CRASH_SHARD_H_

#include <memory>
#include <string>

#include "engine/index/shard.h"
#include "engine/util/error.h"

namespace curlew::index {

// Outlives its shard. Small limits, so that segments, commits and merges come all the time. The
// mapping is kept beside the shard, as an index keeps it, before a document uses it.
struct CrashShard {
  static constexpr char kMappingFile[] = "mapping";

  CrashShard() {
    options.index = "crash";
    options.refresh_interval = std::chrono::milliseconds(10);
    options.buffer_bytes = 100 << 10;
    options.flush_translog_bytes = 100 << 10;
    options.translog.generation_bytes = 30 << 10;
    options.translog.preallocate_bytes = 64 << 10;
    options.merged_stored_threshold = 30 << 10;
    options.commit_merged_bytes = 200 << 10;
  }

  absl::StatusOr<std::unique_ptr<Shard>> Open(const std::shared_ptr<store::Directory>& directory) {
    std::string json = R"({"properties":{"n":{"type":"long"},"t":{"type":"text"}}})";
    CURLEW_ASSIGN_OR_RETURN(const bool known, directory->Exists(kMappingFile));
    if (known) {
      CURLEW_ASSIGN_OR_RETURN(const auto file, directory->Open(kMappingFile));
      json = file->view();
    }
    CURLEW_ASSIGN_OR_RETURN(
        auto mapping, mapping::Mapping::Parse(json, analysis::AnalyzerRegistry::BuiltIn(), {}));
    mapper = std::make_unique<mapping::MapperService>(
        std::move(mapping), mapping::MappingLimits{}, analysis::AnalyzerRegistry::BuiltIn(),
        [directory](const std::string& changed) {
          return store::WriteAtomically(*directory, kMappingFile, changed);
        });
    CURLEW_ASSIGN_OR_RETURN(auto folder, directory->Sub("0"));
    return Shard::Open(std::move(folder), options, mapper.get(), writer, &pool);
  }

  ShardOptions options;
  std::unique_ptr<mapping::MapperService> mapper;
  std::shared_ptr<translog::LogWriter> writer = std::make_shared<translog::LogWriter>();
  ThreadPool pool{"background", 2, 1000};
};

}  // namespace curlew::index

#endif  // CURLEW_TEST_CRASH_CRASH_SHARD_H_
