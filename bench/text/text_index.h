// A shard on disk without a server around it: what the benchmarks of the engine index into and
// search in.
#ifndef CURLEW_BENCH_TEXT_TEXT_INDEX_H_
#define CURLEW_BENCH_TEXT_TEXT_INDEX_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/index/shard.h"
#include "engine/search/query/query.h"

namespace curlew::bench {

struct TextDocument {
  std::string id;
  std::string source;
};

// Ends the program with a message when something fails.
class TextIndex {
 public:
  // Opens or creates the shard in folder `path`. `buffer_bytes`: see index::ShardOptions.
  TextIndex(const std::string& path, uint64_t buffer_bytes);
  ~TextIndex();

  // Indexes the documents on `threads` threads and commits.
  void Add(const std::vector<TextDocument>& documents, int threads);
  void Delete(const std::vector<std::string>& ids);
  void ForceMerge(int max_segments);
  index::Shard& shard() { return *shard_; }

  // A context for searching what is visible now.
  search::ShardContext Context() const;
  // Bytes of the files of the segments.
  uint64_t segment_bytes() const;

 private:
  std::shared_ptr<translog::LogWriter> writer_ = std::make_shared<translog::LogWriter>();
  ThreadPool pool_{"background", 2, 1000};
  std::unique_ptr<mapping::MapperService> mapper_;
  std::unique_ptr<index::Shard> shard_;
};

// Lines of {"id" or "_id": ..., fields}: the documents of a file.
std::vector<TextDocument> ReadDocuments(const std::string& file, const std::string& id_field);

[[noreturn]] void Die(const std::string& reason);
void Check(const absl::Status& status);

}  // namespace curlew::bench

#endif  // CURLEW_BENCH_TEXT_TEXT_INDEX_H_
