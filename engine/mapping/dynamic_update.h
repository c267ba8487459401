// The fields that a document has and its mapping has not, gathered into a mapping update. Internal
// to this folder.
#ifndef CURLEW_ENGINE_MAPPING_DYNAMIC_UPDATE_H_
#define CURLEW_ENGINE_MAPPING_DYNAMIC_UPDATE_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "engine/mapping/field.h"

namespace curlew::mapping {

// A field or object to add, or an object of the mapping with something to add below.
struct NewNode {
  std::string name;
  bool is_object = false;
  FieldKind kind = FieldKind::kText;
  std::string format;  // date
  std::vector<std::unique_ptr<NewNode>> children;
};

// Owned by a document parser and reused from document to document; one thread at a time. Nodes keep
// their address until Clear.
class DynamicUpdate {
 public:
  void Clear() {
    root_ = NewNode();
    root_.is_object = true;
    count_ = 0;
  }
  bool empty() const { return count_ == 0; }
  // Fields and objects so far.
  int count() const { return count_; }
  NewNode* root() { return &root_; }

  // The child of that name, created or found. Found as something else than an object or a field of
  // that kind: illegal_argument_exception in `error` and null. `parent_path` is for the message.
  NewNode* AddObject(NewNode* parent, std::string_view name, std::string_view parent_path,
                     absl::Status& error);
  NewNode* AddField(NewNode* parent, std::string_view name, FieldKind kind, std::string_view format,
                    std::string_view parent_path, absl::Status& error);

  // {"properties": ...} as a mapping update takes it: a string field gets its keyword multi-field.
  std::string ToJson() const;

 private:
  NewNode* Find(NewNode* parent, std::string_view name) const;
  NewNode* Create(NewNode* parent, std::string_view name);

  NewNode root_{
      .name = {}, .is_object = true, .kind = FieldKind::kText, .format = {}, .children = {}};
  int count_ = 0;
};

}  // namespace curlew::mapping

#endif  // CURLEW_ENGINE_MAPPING_DYNAMIC_UPDATE_H_
