// Operations and logs for the translog's tests.
#ifndef CURLEW_TEST_ENGINE_TRANSLOG_LOG_FIXTURE_H_
#define CURLEW_TEST_ENGINE_TRANSLOG_LOG_FIXTURE_H_

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "engine/store/directory.h"
#include "engine/translog/translog.h"
#include "test/support/random.h"

namespace curlew::translog {

// An operation that owns its strings.
struct OwnedOperation {
  Operation::Kind kind = Operation::Kind::kIndex;
  int64_t seq_no = 0;
  int64_t primary_term = 1;
  int64_t version = 1;
  std::string id;
  std::string routing;
  std::string source;

  static OwnedOperation Of(const Operation& o) {
    return {o.kind,
            o.seq_no,
            o.primary_term,
            o.version,
            std::string(o.id),
            std::string(o.routing),
            std::string(o.source)};
  }
  Operation View() const { return {kind, seq_no, primary_term, version, id, routing, source}; }
  bool operator==(const OwnedOperation&) const = default;
};

inline OwnedOperation RandomOperation(test::Random& random, int64_t seq_no, int longest = 200) {
  OwnedOperation operation;
  operation.kind = static_cast<Operation::Kind>(random.Between(1, 3));
  operation.seq_no = seq_no;
  operation.primary_term = random.Between(1, 1000);
  operation.version = random.Between(1, 1ll << 40);
  operation.id = random.Bytes(0, 30);
  if (random.OneIn(3)) operation.routing = random.Word(1, 10);
  operation.source = random.Bytes(0, longest);
  return operation;
}

// Small steps, so that growth and generations are met often, and little patience.
inline TranslogOptions SmallOptions() {
  TranslogOptions options;
  options.generation_bytes = 4000;
  options.preallocate_bytes = 1000;
  options.shortage_wait = std::chrono::milliseconds(50);
  return options;
}

inline std::shared_ptr<Translog> OpenLog(std::shared_ptr<store::Directory> directory,
                                         const TranslogOptions& options = SmallOptions(),
                                         std::shared_ptr<LogWriter> writer = nullptr) {
  if (writer == nullptr) writer = std::make_shared<LogWriter>(std::chrono::milliseconds(2));
  auto log = Translog::Open(std::move(directory), std::move(writer), options);
  INFO(log.status().ToString());
  REQUIRE(log.ok());
  return *log;
}

inline std::vector<OwnedOperation> ReplayAll(Translog& log, uint64_t from = 0) {
  std::vector<OwnedOperation> operations;
  const absl::Status status = log.Replay(from, [&](const Operation& operation) {
    operations.push_back(OwnedOperation::Of(operation));
    return absl::OkStatus();
  });
  INFO(status.ToString());
  REQUIRE(status.ok());
  return operations;
}

inline std::string Message(const absl::Status& status) {
  return std::string(status.message().data(), status.message().size());
}

inline std::string ReadFile(store::Directory& directory, const std::string& name) {
  return std::string(directory.Open(name).value()->view());
}

inline void WriteFile(store::Directory& directory, const std::string& name,
                      std::string_view content) {
  auto file = directory.Create(name).value();
  REQUIRE(file->Append(content).ok());
  REQUIRE(file->Close().ok());
}

// A copy of the plain files.
inline std::shared_ptr<store::Directory> CopyOf(store::Directory& from,
                                                std::shared_ptr<store::Directory> to) {
  const std::vector<std::string> names = from.List().value();
  for (const std::string& name : names) WriteFile(*to, name, ReadFile(from, name));
  return to;
}

}  // namespace curlew::translog

#endif  // CURLEW_TEST_ENGINE_TRANSLOG_LOG_FIXTURE_H_
