// A mapping's JSON to a tree, trees to one, a tree to JSON, and the limits on it. Internal to this
// folder; functions for any thread. Errors are the mapping's, as OpenSearch reports them.
#ifndef CURLEW_ENGINE_MAPPING_MAPPING_PARSER_H_
#define CURLEW_ENGINE_MAPPING_MAPPING_PARSER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/analysis/registry.h"
#include "engine/mapping/mapping.h"
#include "engine/mapping/tree.h"

namespace curlew::mapping {

// Names that belong to the engine: no field at the top of a mapping or document may have them.
bool IsMetadataName(std::string_view name);

// "" and "{}" give an empty tree. As an update to a mapping, what can be set only from the start is
// a conflict.
enum class MappingUse : uint8_t { kNew, kUpdate };
absl::StatusOr<MappingTree> ParseMappingTree(std::string_view json, MappingUse use,
                                             const analysis::AnalyzerRegistry& analyzers);

// See Mapping::Merge.
absl::StatusOr<MappingTree> MergeMappingTrees(const MappingTree& base, const MappingTree& update);

std::string MappingTreeToJson(const MappingTree& tree);

// illegal_argument_exception for the first limit that is exceeded. Objects, fields and multi-fields
// count.
absl::Status CheckLimits(const MappingTree& tree, const MappingLimits& limits);

}  // namespace curlew::mapping

#endif  // CURLEW_ENGINE_MAPPING_MAPPING_PARSER_H_
