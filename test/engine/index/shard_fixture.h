// A shard with everything it needs around it, and a model of what it should hold.
#ifndef CURLEW_TEST_ENGINE_INDEX_SHARD_FIXTURE_H_
#define CURLEW_TEST_ENGINE_INDEX_SHARD_FIXTURE_H_

#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/index/shard.h"
#include "engine/store/memory_directory.h"
#include "engine/util/error.h"
#include "test/support/random.h"

namespace curlew::index {

// Fields of every kind that the buffer treats differently.
inline constexpr std::string_view kTestMapping = R"({"properties": {
  "k": {"type": "keyword"}, "tags": {"type": "keyword"}, "t": {"type": "text"},
  "n": {"type": "long"}, "b": {"type": "boolean"}}})";

// Outlives the shards opened in it. The mapping survives as it would in the catalog: it is kept
// before it is used.
struct ShardWorld {
  explicit ShardWorld(std::string_view mapping_json = kTestMapping);

  absl::StatusOr<std::unique_ptr<Shard>> TryOpen(std::shared_ptr<store::Directory> directory);
  std::unique_ptr<Shard> Open(std::shared_ptr<store::Directory> directory);

  ShardOptions options;  // no background refresh unless a test asks for it
  std::string mapping;
  std::function<void()> on_mapping_update;  // while a document waits for it
  std::unique_ptr<mapping::MapperService> mapper;
  std::shared_ptr<translog::LogWriter> writer =
      std::make_shared<translog::LogWriter>(std::chrono::milliseconds(2));
  ThreadPool pool{"background", 2, 1000};
};

// A document of the test mapping.
struct TestDocument {
  std::string k;
  std::vector<std::string> tags;
  std::string t;
  int64_t n = 0;
  bool b = false;

  std::string Json() const;
};
TestDocument RandomDocument(test::Random& random);

Operation IndexOp(std::string_view id, std::string_view source);
Operation CreateOp(std::string_view id, std::string_view source);
Operation DeleteOp(std::string_view id);
Operation UpdateOp(std::string_view id, std::string_view doc);

// One operation, not waited for.
OperationResult ApplyOne(Shard& shard, const Operation& operation);
// One operation that must be OK, made durable.
OperationResult ApplyDurable(Shard& shard, const Operation& operation);

std::string ErrorType(const absl::Status& status);

// What is visible: id -> source, from the newest snapshot. Fails when an id is there twice.
std::map<std::string, std::string> VisibleDocuments(const Shard& shard);
// Live documents that have the term.
size_t CountTerm(const Shard& shard, std::string_view field, std::string_view term);

// What the shard should hold. Versions of deleted ids are known until the shard is reopened.
struct Model {
  struct Entry {
    TestDocument document;
    int64_t version = 0;
    int64_t seq_no = 0;
  };
  std::map<std::string, Entry> live;
  std::map<std::string, int64_t> tombstones;  // id -> version
};

// Compares real-time reads, and (after a refresh) everything that searches can see: sources, terms,
// positions, norms, columns.
void CheckGets(Shard& shard, const Model& model);
void CheckVisible(const Shard& shard, const Model& model);
// Every structure of every segment.
void CheckSegments(const Shard& shard, store::Directory& directory);
// All that is in the folder of a shard that is not open: what it was closed with, or what a crash
// has left of it.
void CheckFolder(const ShardWorld& world, std::shared_ptr<store::Directory> directory);

}  // namespace curlew::index

#endif  // CURLEW_TEST_ENGINE_INDEX_SHARD_FIXTURE_H_
