// A program started for a scenario and ended with it.
#ifndef CURLEW_BENCH_LOAD_CHILD_PROCESS_H_
#define CURLEW_BENCH_LOAD_CHILD_PROCESS_H_

#include <sys/types.h>

#include <string>
#include <vector>

namespace curlew::bench {

// Starts `words` and waits for its first line of output. Throws std::runtime_error when there is
// none.
class ChildProcess {
 public:
  explicit ChildProcess(std::vector<std::string> words);
  // SIGTERM, and waits.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  const std::string& first_line() const { return first_line_; }
  // The word after "listening on " in the first line.
  std::string address() const;

 private:
  pid_t pid_;
  int out_;
  std::string first_line_;
};

}  // namespace curlew::bench

#endif  // CURLEW_BENCH_LOAD_CHILD_PROCESS_H_
