#include "engine/util/other_cpu.h"

#include <sched.h>

#include <catch2/catch.hpp>

namespace curlew {
namespace {

cpu_set_t Allowed() {
  cpu_set_t allowed;
  REQUIRE(::sched_getaffinity(0, sizeof(allowed), &allowed) == 0);
  return allowed;
}

TEST_CASE("a thread leaves a busy processor and may use all of its own again later") {
  const cpu_set_t before = Allowed();
  const int busy = CurrentCpu();
  REQUIRE(busy >= 0);
  {
    const OnOtherCpu other(busy);
    const cpu_set_t inside = Allowed();
    // The system may have moved it in between: then nothing is changed.
    if (CPU_COUNT(&before) > 1 && CPU_EQUAL(&inside, &before) == 0) {
      CHECK_FALSE(CPU_ISSET(static_cast<size_t>(busy), &inside));
      CHECK(CPU_COUNT(&inside) == CPU_COUNT(&before) - 1);
      CHECK(CurrentCpu() != busy);
    }
  }
  const cpu_set_t after = Allowed();
  CHECK(CPU_EQUAL(&after, &before) != 0);
}

TEST_CASE("a thread with one processor stays where it is") {
  const cpu_set_t before = Allowed();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<size_t>(CurrentCpu()), &one);
  REQUIRE(::sched_setaffinity(0, sizeof(one), &one) == 0);
  {
    const OnOtherCpu other(CurrentCpu());
    const OnOtherCpu nowhere(-1);
    const cpu_set_t inside = Allowed();
    CHECK(CPU_EQUAL(&inside, &one) != 0);
  }
  CHECK(::sched_setaffinity(0, sizeof(before), &before) == 0);
}

}  // namespace
}  // namespace curlew
