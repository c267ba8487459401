// A JSON document as a tree that keeps order and the very text of numbers: what merging an update
// into a document needs, and no more.
#ifndef CURLEW_ENGINE_INDEX_JSON_TREE_H_
#define CURLEW_ENGINE_INDEX_JSON_TREE_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace curlew::index {

// Nodes by number; views point into the text that was parsed, which has to outlive the tree, or
// into the tree itself, and are valid until the next Parse. One thread at a time.
class JsonTree {
 public:
  enum class Kind : uint8_t { kNull, kTrue, kFalse, kNumber, kString, kArray, kObject };
  struct Node {
    Kind kind = Kind::kNull;
    std::string_view key;   // of a member, escapes resolved
    std::string_view text;  // a number as written; a string with its escapes resolved
    int32_t first_child = -1;
    int32_t next = -1;  // sibling
  };

  // Strict JSON and UTF-8 with one object at the top (and perhaps a byte order mark before it);
  // names distinct within an object; nesting up to 1,000. The error says what is wrong and at which
  // byte, without type: the caller knows what the text was for.
  absl::Status Parse(std::string_view json);

  const Node& node(int32_t index) const { return nodes_[static_cast<size_t>(index)]; }
  int32_t root() const { return 0; }
  // The member of that name, or -1.
  int32_t Member(int32_t object, std::string_view key) const;

 private:
  friend class JsonTreeParser;

  std::vector<Node> nodes_;
  std::deque<std::string> decoded_;
};

// Appends `text` as a JSON string, escaped as OpenSearch writes it (control characters, quote and
// backslash only).
void AppendJsonString(std::string_view text, std::string& out);

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_JSON_TREE_H_
