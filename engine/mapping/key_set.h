// Finds a name given twice in one object of a document.
#ifndef CURLEW_ENGINE_MAPPING_KEY_SET_H_
#define CURLEW_ENGINE_MAPPING_KEY_SET_H_

#include <cstdint>
#include <string_view>
#include <vector>

namespace curlew::mapping {

// The names of the open objects, as a stack. Small objects are compared name by name; from
// kTableFrom names on an object's names are in a hash table, so that an object of n names costs n.
// Keeps its memory; one thread at a time. Names are views that have to outlive the document.
class KeySet {
 public:
  void Clear() {
    keys_.clear();
    starts_.clear();
    if (used_ > 0) {
      table_.assign(table_.size(), Slot());
      used_ = 0;
    }
    next_object_ = 0;
  }

  void Enter() { starts_.push_back({keys_.size(), ++next_object_}); }
  void Leave() {
    keys_.resize(starts_.back().first_key);
    starts_.pop_back();
  }

  // False: the innermost object has `key` already. `hash` is HashText of it: one that clients
  // cannot foresee.
  bool Add(uint64_t hash, std::string_view key) {
    const Open& open = starts_.back();
    const size_t count = keys_.size() - open.first_key;
    if (count < kTableFrom) {
      for (size_t i = open.first_key; i < keys_.size(); ++i) {
        if (keys_[i].hash == hash && keys_[i].key == key) return false;
      }
    } else {
      if (count == kTableFrom) {
        for (size_t i = open.first_key; i < keys_.size(); ++i) Insert(open.id, keys_[i]);
      }
      if (!Insert(open.id, {hash, key})) return false;
    }
    keys_.push_back({hash, key});
    return true;
  }

 private:
  static constexpr size_t kTableFrom = 24;

  struct Key {
    uint64_t hash = 0;
    std::string_view key;
  };
  struct Open {
    size_t first_key = 0;
    uint32_t id = 0;
  };
  struct Slot {
    uint32_t object = 0;  // 0 = empty
    Key key;
  };

  bool Insert(uint32_t object, const Key& key) {
    if ((used_ + 1) * 2 > table_.size()) Grow();
    const size_t mask = table_.size() - 1;
    size_t at = Start(object, key.hash) & mask;
    for (; table_[at].object != 0; at = (at + 1) & mask) {
      const Slot& s = table_[at];
      if (s.object == object && s.key.hash == key.hash && s.key.key == key.key) return false;
    }
    table_[at] = {object, key};
    ++used_;
    return true;
  }

  void Grow() {
    std::vector<Slot> old(table_.empty() ? 128 : table_.size() * 2);
    old.swap(table_);
    used_ = 0;
    for (const Slot& s : old) {
      if (s.object != 0) Insert(s.object, s.key);
    }
  }

  static uint64_t Start(uint32_t object, uint64_t hash) {
    return hash ^ (object * 0x9e3779b97f4a7c15ull >> 20);
  }

  std::vector<Key> keys_;
  std::vector<Open> starts_;
  std::vector<Slot> table_;
  size_t used_ = 0;
  uint32_t next_object_ = 0;
};

}  // namespace curlew::mapping

#endif  // CURLEW_ENGINE_MAPPING_KEY_SET_H_
