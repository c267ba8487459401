#include "engine/util/other_cpu.h"

namespace curlew {

int CurrentCpu() { return ::sched_getcpu(); }

OnOtherCpu::OnOtherCpu(int busy) : busy_(busy) {
  if (busy < 0 || busy >= CPU_SETSIZE || CurrentCpu() != busy) return;
  // Fails where there are more processors than the set holds: then it stays where it is.
  if (::sched_getaffinity(0, sizeof(allowed_), &allowed_) != 0) return;
  cpu_set_t others = allowed_;
  CPU_CLR(static_cast<size_t>(busy), &others);
  moved_ = CPU_COUNT(&others) > 0 && ::sched_setaffinity(0, sizeof(others), &others) == 0;
}

OnOtherCpu::~OnOtherCpu() {
  if (!moved_) return;
  cpu_set_t back;
  CPU_ZERO(&back);
  CPU_SET(static_cast<size_t>(busy_), &back);
  ::sched_setaffinity(0, sizeof(back), &back);
  ::sched_setaffinity(0, sizeof(allowed_), &allowed_);
}

}  // namespace curlew
