#include "test/support/server_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace curlew::test {
namespace {

std::string ServerBinary() {
  if (const char* named = std::getenv("CURLEW_TEST_SERVER")) return named;
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "curlewd").string();
}

// The first line that comes from `fd`, without its newline.
std::string ReadLine(int fd) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  std::string line;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd poller{fd, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&poller, 1, static_cast<int>(left.count())) <= 0) {
      throw std::runtime_error("the server did not say in time that it serves");
    }
    char c;
    if (::read(fd, &c, 1) != 1) throw std::runtime_error("the server ended before it served");
    if (c == '\n') return line;
    line += c;
  }
}

}  // namespace

ServerProcess::ServerProcess(const std::string& data, const std::vector<std::string>& arguments) {
  const std::string binary = ServerBinary();
  std::vector<std::string> words = {binary, "--data", data, "--listen", "127.0.0.1:0"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  int out[2];
  if (::pipe2(out, O_CLOEXEC) != 0) throw std::runtime_error("pipe failed");
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("fork failed");
  if (pid_ == 0) {
    ::dup2(out[1], STDOUT_FILENO);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(out[1]);
  std::string line;
  try {
    line = ReadLine(out[0]);
  } catch (...) {
    ::close(out[0]);
    Kill();
    throw;
  }
  ::close(out[0]);
  // "curlewd listening on HOST:PORT (data DIR)"
  constexpr std::string_view kMark = "listening on ";
  const size_t start = line.find(kMark);
  if (start == std::string::npos) {
    Kill();
    throw std::runtime_error("unexpected first line: " + line);
  }
  address_ = line.substr(start + kMark.size());
  address_ = address_.substr(0, address_.find(' '));
}

ServerProcess::~ServerProcess() { Kill(); }

void ServerProcess::Signal(int signal) {
  if (pid_ > 0) ::kill(pid_, signal);
}

int ServerProcess::Wait() {
  if (pid_ <= 0) return 0;
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int ServerProcess::Terminate() {
  Signal(SIGTERM);
  return Wait();
}

void ServerProcess::Kill() {
  Signal(SIGKILL);
  Wait();
}

}  // namespace curlew::test
