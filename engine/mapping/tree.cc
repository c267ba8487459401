#include "engine/mapping/tree.h"

#include <algorithm>
#include <bit>

namespace curlew::mapping {

Dynamic ObjectNode::EffectiveDynamic(Dynamic inherited) const {
  if (dynamic.empty()) return inherited;
  if (dynamic == "true") return Dynamic::kTrue;
  // Without templates the two forms that allow them are their plain forms.
  return dynamic.starts_with("strict") ? Dynamic::kStrict : Dynamic::kFalse;
}

void ObjectNode::Freeze() {
  std::sort(children.begin(), children.end(),
            [](const ChildNode& a, const ChildNode& b) { return a.name < b.name; });
  table_.assign(std::bit_ceil(children.size() * 2 + 1), 0);
  const size_t mask = table_.size() - 1;
  for (uint32_t i = 0; i < children.size(); ++i) {
    size_t slot = Hash(children[i].name) & mask;
    while (table_[slot] != 0) slot = (slot + 1) & mask;
    table_[slot] = i + 1;
  }
}

const ChildNode* ObjectNode::Find(std::string_view wanted, uint64_t hash) const {
  const size_t mask = table_.size() - 1;
  for (size_t slot = hash & mask; table_[slot] != 0; slot = (slot + 1) & mask) {
    const ChildNode& child = children[table_[slot] - 1];
    if (child.name == wanted) return &child;
  }
  return nullptr;
}

}  // namespace curlew::mapping
