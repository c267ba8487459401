// SIGTERM and SIGINT as values, not as interruptions.
#ifndef CURLEW_SERVER_STOP_SIGNALS_H_
#define CURLEW_SERVER_STOP_SIGNALS_H_

#include <signal.h>

#include <chrono>

namespace curlew::server {

// Blocks the stop signals in this thread and those that it starts: create it before any other
// thread. SIGPIPE and SIGXFSZ are ignored from then on, since a closed connection and a full file
// are errors of one write.
class StopSignals {
 public:
  StopSignals();

  // The number of the next stop signal.
  int Wait();
  // The same, or 0 when none came within `time`.
  int WaitFor(std::chrono::milliseconds time);

 private:
  sigset_t set_;
};

}  // namespace curlew::server

#endif  // CURLEW_SERVER_STOP_SIGNALS_H_
