// The tree behind a mapping: objects, fields, and what their JSON said. Internal to this folder.
#ifndef CURLEW_ENGINE_MAPPING_TREE_H_
#define CURLEW_ENGINE_MAPPING_TREE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/mapping/field.h"
#include "engine/mapping/mapping.h"
#include "engine/util/text_hash.h"

namespace curlew::mapping {

// A parameter of a field as it was given, in canonical JSON; only those that a mapping shows.
struct FieldParam {
  std::string name;
  std::string json;
};

// A field with its multi-fields. Immutable; shared by the mappings of an index that have it, so a
// MappedField keeps its address while its definition stays the same.
struct FieldNode {
  std::string name;  // last part of the path
  MappedField field;
  std::vector<FieldParam> params;                       // sorted by name
  std::vector<std::shared_ptr<const FieldNode>> multi;  // sorted by name
  // What a null in a document stands for, ready to be indexed.
  bool has_null_value = false;
  std::string null_text;
  int64_t null_number = 0;
};

struct ObjectNode;

// One of the two is set.
struct ChildNode {
  std::string name;
  std::shared_ptr<const ObjectNode> object;
  std::shared_ptr<const FieldNode> field;
};

// An object; the root is one without a name. Immutable after Freeze.
struct ObjectNode {
  std::string name;
  std::string path;
  std::string dynamic;  // as shown: "true", "false", "strict", ...; "" = as the parent says
  bool enabled = true;
  bool enabled_given = false;       // a mapping update that says nothing about it leaves it alone
  std::vector<ChildNode> children;  // sorted by name

  // The explicit setting, or what the parent has.
  Dynamic EffectiveDynamic(Dynamic inherited) const;

  // Sorts the children and builds the table behind Find.
  void Freeze();
  static uint64_t Hash(std::string_view name) { return HashText(name); }
  // Null when there is none. `hash` is Hash(name).
  const ChildNode* Find(std::string_view name, uint64_t hash) const;
  const ChildNode* Find(std::string_view name) const { return Find(name, Hash(name)); }

 private:
  // Open addressing; index + 1 of a child, 0 = empty.
  std::vector<uint32_t> table_;
};

// What a mapping has besides its fields.
struct RootOptions {
  std::optional<bool> date_detection;  // unset = true
  std::optional<bool> numeric_detection;
  std::optional<std::vector<std::string>> dynamic_date_formats;
  std::string meta_json;  // "" = none
};

struct MappingTree {
  std::shared_ptr<const ObjectNode> root;
  RootOptions options;
};

}  // namespace curlew::mapping

#endif  // CURLEW_ENGINE_MAPPING_TREE_H_
