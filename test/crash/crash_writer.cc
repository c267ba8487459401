// The victim of the crash loop: writes to a shard as fast as it can until it is killed.
//
// crash_writer DIR SEED: two threads, each with ids of its own. On stdout a line before each
// operation ("I thread id n t", "D thread id", "U thread id n x value": an update of the members n
// and x, which makes the document where there is none), one with the version and sequence number of
// each operation of a request ("R thread version seq_no ...") once it is applied, and one after
// each acknowledgement ("A thread"): everything that the thread announced before is durable. The
// members x are not in the mapping until a document brings them.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <thread>

#include "engine/index/shard.h"
#include "engine/store/real_directory.h"
#include "test/crash/crash_shard.h"
#include "test/support/random.h"

namespace curlew::index {
namespace {

void Say(const std::string& line) {
  // One write of a short line into a pipe is never cut.
  if (::write(STDOUT_FILENO, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    std::_Exit(3);
  }
}

[[noreturn]] void Fail(const absl::Status& status) {
  Say("E " + status.ToString() + "\n");
  std::_Exit(2);
}

void Write(Shard& shard, int thread, test::Random random) {
  for (;;) {
    const auto count = static_cast<size_t>(random.Between(1, 20));
    std::vector<std::string> ids(count);
    std::vector<std::string> sources(count);
    std::vector<Operation> operations(count);
    for (size_t i = 0; i < count; ++i) {
      ids[i] = fmt::format("{}-{}", thread, random.Between(0, 199));
      operations[i].id = ids[i];
      if (random.OneIn(3)) {
        const int64_t value = random.Between(0, 1000000);
        const int64_t member = random.Between(0, 299);
        sources[i] = fmt::format(R"({{"n":{0},"x{1}":{0}}})", value, member);
        operations[i].type = OpType::kUpdate;
        operations[i].doc = sources[i];
        operations[i].doc_as_upsert = true;
        Say(fmt::format("U {} {} {} x{} {}\n", thread, ids[i], value, member, value));
      } else if (random.OneIn(4)) {
        operations[i].type = OpType::kDelete;
        Say(fmt::format("D {} {}\n", thread, ids[i]));
      } else {
        const int64_t value = random.Between(0, 1000000);
        const std::string text = random.Word(1, 9) + "_" + random.Word(1, 300);
        sources[i] = fmt::format(R"({{"n":{},"t":"{}"}})", value, text);
        operations[i].source = sources[i];
        Say(fmt::format("I {} {} {} {}\n", thread, ids[i], value, text));
      }
    }
    std::vector<OperationResult> results(count);
    const ApplyOutcome outcome = shard.Apply(operations, results);
    for (const OperationResult& result : results) {
      if (!result.status.ok()) Fail(result.status);
    }
    std::string numbers = fmt::format("R {}", thread);
    for (const OperationResult& result : results) {
      numbers += fmt::format(" {} {}", result.version, result.seq_no);
    }
    Say(numbers + "\n");
    if (absl::Status status = shard.WaitDurable(outcome.ticket); !status.ok()) Fail(status);
    Say(fmt::format("A {}\n", thread));
  }
}

int Main(const std::string& path, uint64_t seed) {
  test::Random random(seed);
  CrashShard around;
  auto directory = store::OpenRealDirectory(path);
  if (!directory.ok()) Fail(directory.status());
  auto shard = around.Open(*directory);
  if (!shard.ok()) Fail(shard.status());
  std::thread threads[] = {
      std::thread(Write, std::ref(**shard), 0, test::Random(random.engine()())),
      std::thread(Write, std::ref(**shard), 1, test::Random(random.engine()()))};
  for (;;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(random.Between(1, 60)));
    absl::Status status = random.OneIn(2) ? (*shard)->Flush() : (*shard)->ForceMerge({1});
    if (!status.ok()) Fail(status);
  }
}

}  // namespace
}  // namespace curlew::index

int main(int argc, char** argv) {
  if (argc != 3) return 1;
  return curlew::index::Main(argv[1], std::strtoull(argv[2], nullptr, 10));
}
