#include "server/stop_signals.h"

#include <pthread.h>

#include <cerrno>
#include <ctime>

namespace curlew::server {

StopSignals::StopSignals() {
  sigemptyset(&set_);
  sigaddset(&set_, SIGTERM);
  sigaddset(&set_, SIGINT);
  pthread_sigmask(SIG_BLOCK, &set_, nullptr);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

int StopSignals::Wait() {
  int number = 0;
  while (sigwait(&set_, &number) != 0) {
  }
  return number;
}

int StopSignals::WaitFor(std::chrono::milliseconds time) {
  const timespec timeout{.tv_sec = time.count() / 1000, .tv_nsec = time.count() % 1000 * 1'000'000};
  const int number = sigtimedwait(&set_, nullptr, &timeout);
  return number > 0 ? number : 0;
}

}  // namespace curlew::server
