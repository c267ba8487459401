// Text documents for a shard: reading them, and indexing them on several threads.
#ifndef CURLEW_BENCH_TEXT_TEXT_CORPUS_H_
#define CURLEW_BENCH_TEXT_TEXT_CORPUS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/support/local_shard.h"

namespace curlew::bench {

// All of these end the program with a message when something fails.

// A shard in `folder` for documents with a title and a body.
std::unique_ptr<LocalShard> OpenTextShard(const std::string& folder, uint64_t buffer_bytes);

// Lines of JSON objects; the field `id_field` names them.
std::vector<LocalDocument> ReadDocuments(const std::string& file, const std::string& id_field);

// Indexes the documents on `threads` threads and commits.
void IndexAll(LocalShard& shard, const std::vector<LocalDocument>& documents, int threads);

[[noreturn]] void Die(const std::string& reason);
void Check(const absl::Status& status);

}  // namespace curlew::bench

#endif  // CURLEW_BENCH_TEXT_TEXT_CORPUS_H_
