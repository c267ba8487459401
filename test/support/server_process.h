// A curlewd of its own for a test: started on a free port over a given folder, stopped or killed.
#ifndef CURLEW_TEST_SUPPORT_SERVER_PROCESS_H_
#define CURLEW_TEST_SUPPORT_SERVER_PROCESS_H_

#include <sys/types.h>

#include <string>
#include <vector>

namespace curlew::test {

// One thread at a time. The binary is the one beside the running test's (build/<preset>/bin), or
// what CURLEW_TEST_SERVER names.
class ServerProcess {
 public:
  // Returns when the server says that it serves; throws std::runtime_error when it does not within
  // 60 s.
  explicit ServerProcess(const std::string& data, const std::vector<std::string>& arguments = {});
  // Kills what is still running.
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  const std::string& address() const { return address_; }  // host:port
  pid_t pid() const { return pid_; }

  void Signal(int signal);
  // Waits for the end; the exit code, or minus the signal that ended it.
  int Wait();
  // SIGTERM and wait.
  int Terminate();
  // SIGKILL and wait.
  void Kill();

 private:
  pid_t pid_ = -1;
  std::string address_;
};

}  // namespace curlew::test

#endif  // CURLEW_TEST_SUPPORT_SERVER_PROCESS_H_
