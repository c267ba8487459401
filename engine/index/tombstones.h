// Deleted ids that are remembered for a while, so that versions count on and late writes with an
// external version still find their conflict.
#ifndef CURLEW_ENGINE_INDEX_TOMBSTONES_H_
#define CURLEW_ENGINE_INDEX_TOMBSTONES_H_

#include <chrono>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "engine/index/buffer/ram_buffer.h"
#include "engine/util/text_hash.h"

namespace curlew::index {

// Guarded by the shard's lock. An id is either here or has a live document, never both.
//
// Every write asks for its id, mostly in vain, and at some thousand deletions a second there are
// hundreds of thousands of them: the table answers such a question with one look into memory, and
// forgetting goes by age, not through all of them.
class Tombstones {
 public:
  using Clock = std::chrono::steady_clock;

  // `now` does not go back from call to call.
  void Put(std::string_view id, const DocumentMeta& meta, Clock::time_point now) {
    Erase(id);
    const Entry& entry = by_age_.emplace_back(Entry{std::string(id), meta, now, true});
    by_id_.emplace(entry.id, &by_age_.back());
  }
  void Erase(std::string_view id) {
    const auto it = by_id_.find(id);
    if (it == by_id_.end()) return;
    it->second->alive = false;
    by_id_.erase(it);
  }
  // Null when there is none. Valid until the next call that is not const.
  const DocumentMeta* Find(std::string_view id) const {
    const auto it = by_id_.find(id);
    return it == by_id_.end() ? nullptr : &it->second->meta;
  }
  // Forgets those from before `time`.
  void PruneBefore(Clock::time_point time) {
    for (; !by_age_.empty() && by_age_.front().time < time; by_age_.pop_front()) {
      if (by_age_.front().alive) by_id_.erase(by_age_.front().id);
    }
  }
  size_t size() const { return by_id_.size(); }

 private:
  struct Entry {
    std::string id;
    DocumentMeta meta;
    Clock::time_point time;
    bool alive;  // false: erased, or put again since
  };
  std::deque<Entry> by_age_;  // oldest first; entries do not move
  absl::flat_hash_map<std::string_view, Entry*, TextHash, std::equal_to<>> by_id_;
};

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_TOMBSTONES_H_
