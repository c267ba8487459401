// What the scenarios of curlew_load have in common.
#ifndef CURLEW_BENCH_LOAD_SCENARIO_H_
#define CURLEW_BENCH_LOAD_SCENARIO_H_

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace curlew::bench {

struct Options {
  std::string server = "127.0.0.1:9400";
  int pid = 0;                       // of the server, for its CPU time and memory; 0 = not told
  std::chrono::seconds seconds{10};  // of each measured part
  std::string echo_binary;           // large_result: curlew_echo
  std::string server_binary;         // startup: curlewd
};

struct UpdateHeavyOptions {
  std::vector<std::string> codecs = {"hybrid", "default", "best_compression"};
  int documents = 80000;       // created in a run; each is updated four times
  int updated_within = 50000;  // it is one of so many created last
  int rounds = 3;              // medians are shown
};

// Each prints one JSON object on stdout and throws std::runtime_error when something fails.

// 30,000 hits of about 75 bytes of source, against an echo server that sends the same bytes.
void RunLargeResult(const Options& options);
// 100 index + 100 update + 100 delete a request, 100 requests a second.
void RunBulkMixed(const Options& options);
// Start to SERVING over an empty folder, and idle memory.
void RunStartup(const Options& options);

// Documents of 1 KB, each updated four times soon after it was created, with each codec:
// throughput, bytes written, and the size after a forced merge to one segment.
void RunUpdateHeavy(const Options& options, const UpdateHeavyOptions& chosen);

// Deletes the index if it is there, and creates it from REST's JSON.
void RecreateIndex(const std::string& server, const std::string& name, const std::string& body);
void RefreshIndex(const std::string& server, const std::string& name);
// To one segment.
void ForceMergeIndex(const std::string& server, const std::string& name);
struct IndexSize {
  double store_bytes = 0;
  double stored_bytes = 0;  // of them, the stored documents
};
IndexSize SizeOfIndex(const std::string& server, const std::string& name);
// Indexes documents (id, source) by Bulk in chunks of 2,000.
void LoadDocuments(const std::string& server, const std::string& index,
                   const std::vector<std::pair<std::string, std::string>>& documents);

}  // namespace curlew::bench

#endif  // CURLEW_BENCH_LOAD_SCENARIO_H_
