// Deleted ids that are remembered for a while, so that versions count on and late writes with an
// external version still find their conflict.
#ifndef CURLEW_ENGINE_INDEX_TOMBSTONES_H_
#define CURLEW_ENGINE_INDEX_TOMBSTONES_H_

#include <chrono>
#include <string>
#include <string_view>

#include "engine/index/buffer/ram_buffer.h"
#include "engine/util/text_hash.h"

namespace curlew::index {

// Guarded by the shard's lock. An id is either here or has a live document, never both.
class Tombstones {
 public:
  using Clock = std::chrono::steady_clock;

  void Put(std::string_view id, const DocumentMeta& meta, Clock::time_point now) {
    tombstones_.insert_or_assign(std::string(id), Tombstone{meta, now});
  }
  void Erase(std::string_view id) {
    if (tombstones_.empty()) return;
    if (auto it = tombstones_.find(id); it != tombstones_.end()) tombstones_.erase(it);
  }
  // Null when there is none.
  const DocumentMeta* Find(std::string_view id) const {
    if (tombstones_.empty()) return nullptr;
    auto it = tombstones_.find(id);
    return it == tombstones_.end() ? nullptr : &it->second.meta;
  }
  // Forgets those from before `time`.
  void PruneBefore(Clock::time_point time) {
    std::erase_if(tombstones_, [&](const auto& entry) { return entry.second.time < time; });
  }
  size_t size() const { return tombstones_.size(); }

 private:
  struct Tombstone {
    DocumentMeta meta;
    Clock::time_point time;
  };
  TextMap<std::string, Tombstone> tombstones_;
};

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_TOMBSTONES_H_
