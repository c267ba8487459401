// The one implementation of Mapping: a tree and its fields by path. Internal to this folder.
#ifndef CURLEW_ENGINE_MAPPING_MAPPING_IMPL_H_
#define CURLEW_ENGINE_MAPPING_MAPPING_IMPL_H_

#include <string>
#include <string_view>
#include <vector>

#include "engine/mapping/mapping.h"
#include "engine/mapping/tree.h"
#include "engine/util/text_hash.h"

namespace curlew::mapping {

// Immutable, thread-safe. Nodes that an update leaves alone are shared with the mapping before it.
class MappingImpl final : public Mapping {
 public:
  explicit MappingImpl(MappingTree tree);

  absl::StatusOr<std::shared_ptr<const Mapping>> Merge(std::string_view update_json,
                                                       const analysis::AnalyzerRegistry& analyzers,
                                                       const MappingLimits& limits) const override;
  std::string ToJson() const override;
  const MappedField* Find(std::string_view path) const override;
  bool IsObject(std::string_view path) const override;
  const std::vector<const MappedField*>& fields() const override { return fields_; }

  const MappingTree& tree() const { return tree_; }

 private:
  void AddObject(const ObjectNode& object);
  void AddField(const FieldNode& node);

  const MappingTree tree_;
  // Keys are the nodes' own paths.
  TextMap<std::string_view, const MappedField*> by_path_;
  TextSet<std::string_view> objects_;
  std::vector<const MappedField*> fields_;
};

}  // namespace curlew::mapping

#endif  // CURLEW_ENGINE_MAPPING_MAPPING_IMPL_H_
