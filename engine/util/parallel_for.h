// A loop whose turns may run at the same time, where a thread is free for it.
#ifndef CURLEW_ENGINE_UTIL_PARALLEL_FOR_H_
#define CURLEW_ENGINE_UTIL_PARALLEL_FOR_H_

#include <cstddef>
#include <functional>

#include "engine/util/thread_pool.h"

namespace curlew {

// Calls fn(i) once for each i < count, each turn taken by whichever thread comes first: the calling
// one, which always takes part, and as many of `pool` as are idle now (null = none) and have a
// processor besides the caller's (always one). So a busy pool costs nothing but the help, and the
// calling thread may be one of the pool's own. Returns when all turns are over; their effects are
// visible then. `fn` must not throw.
void ParallelFor(ThreadPool* pool, size_t count, const std::function<void(size_t)>& fn);

}  // namespace curlew

#endif  // CURLEW_ENGINE_UTIL_PARALLEL_FOR_H_
