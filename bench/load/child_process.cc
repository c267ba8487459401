#include "bench/load/child_process.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <string_view>

namespace curlew::bench {

ChildProcess::ChildProcess(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int out[2];
  if (::pipe(out) != 0) throw std::runtime_error("pipe failed");
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(out[1], STDOUT_FILENO);
    ::close(out[0]);
    ::close(out[1]);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(out[1]);
  out_ = out[0];
  char byte;
  while (::read(out_, &byte, 1) == 1) {
    if (byte == '\n') return;
    first_line_ += byte;
  }
  ::close(out_);
  ::waitpid(pid_, nullptr, 0);
  throw std::runtime_error("no answer from " + words[0]);
}

ChildProcess::~ChildProcess() {
  ::kill(pid_, SIGTERM);
  ::waitpid(pid_, nullptr, 0);
  ::close(out_);
}

std::string ChildProcess::address() const {
  constexpr std::string_view kMark = "listening on ";
  const size_t start = first_line_.find(kMark) + kMark.size();
  return first_line_.substr(start, first_line_.find(' ', start) - start);
}

}  // namespace curlew::bench
