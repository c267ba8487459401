// The shard of the crash loop: one for the writer and for whoever looks at what is left.
#ifndef CURLEW_TEST_CRASH_CRASH_SHARD_H_
#define CURLEW_TEST_CRASH_CRASH_SHARD_H_

#include <memory>

#include "engine/index/shard.h"

namespace curlew::index {

// Outlives its shard. Small limits, so that segments, commits and merges come all the time.
struct CrashShard {
  CrashShard() {
    options.index = "crash";
    options.refresh_interval = std::chrono::milliseconds(10);
    options.buffer_bytes = 100 << 10;
    options.flush_translog_bytes = 100 << 10;
    options.translog.generation_bytes = 30 << 10;
    options.translog.preallocate_bytes = 64 << 10;
    options.stored_codec_threshold = 30 << 10;
  }

  absl::StatusOr<std::unique_ptr<Shard>> Open(std::shared_ptr<store::Directory> directory) {
    auto mapping =
        mapping::Mapping::Parse(R"({"properties":{"n":{"type":"long"},"t":{"type":"text"}}})",
                                analysis::AnalyzerRegistry::BuiltIn(), {});
    if (!mapping.ok()) return mapping.status();
    mapper = std::make_unique<mapping::MapperService>(
        *mapping, mapping::MappingLimits{}, analysis::AnalyzerRegistry::BuiltIn(),
        [](const std::string&) { return absl::OkStatus(); });
    return Shard::Open(std::move(directory), options, mapper.get(), writer, &pool);
  }

  ShardOptions options;
  std::unique_ptr<mapping::MapperService> mapper;
  std::shared_ptr<translog::LogWriter> writer = std::make_shared<translog::LogWriter>();
  ThreadPool pool{"background", 2, 1000};
};

}  // namespace curlew::index

#endif  // CURLEW_TEST_CRASH_CRASH_SHARD_H_
