// Moves a thread away from a processor that another thread is using.
#ifndef CURLEW_ENGINE_UTIL_OTHER_CPU_H_
#define CURLEW_ENGINE_UTIL_OTHER_CPU_H_

#include <sched.h>

namespace curlew {

// The processor that the calling thread is on; -1 where the system does not tell.
int CurrentCpu();

// While it lives, the calling thread, if it finds itself on `busy`, runs on any other processor
// that it is allowed to use; then it goes back and is allowed all of them again (left where it
// went, it would draw other work there, away from where that works). Does nothing where there is no
// other. To be made and destroyed by the same thread.
//
// A scheduler may start a thread that was woken on its waker's processor and leave both there for
// milliseconds, though another one is idle: Linux does in virtual machines, where a halted
// processor looks like one that the host has taken away (vcpu_is_preempted).
class OnOtherCpu {
 public:
  explicit OnOtherCpu(int busy);
  ~OnOtherCpu();
  OnOtherCpu(const OnOtherCpu&) = delete;
  OnOtherCpu& operator=(const OnOtherCpu&) = delete;

 private:
  const int busy_;
  cpu_set_t allowed_;
  bool moved_ = false;
};

}  // namespace curlew

#endif  // CURLEW_ENGINE_UTIL_OTHER_CPU_H_
