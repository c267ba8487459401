// A field's definition in a mapping's JSON: types, parameters, what may change. Internal to this
// folder; functions for any thread.
#ifndef CURLEW_ENGINE_MAPPING_FIELD_PARAMS_H_
#define CURLEW_ENGINE_MAPPING_FIELD_PARAMS_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/analysis/registry.h"
#include "engine/mapping/json_value.h"
#include "engine/mapping/tree.h"

namespace curlew::mapping {

// `definition` is the object below the field's name, with its "type". Errors are
// mapper_parsing_exceptions; a type or parameter that OpenSearch has and we have not is refused by
// name.
absl::StatusOr<std::shared_ptr<const FieldNode>> ParseField(
    std::string_view path, std::string_view name, const JsonValue& definition,
    const analysis::AnalyzerRegistry& analyzers);

// `update` in the place of `base`, if its type and fixed parameters are the same: parameters as
// `update` has them, multi-fields of both. illegal_argument_exception.
absl::StatusOr<std::shared_ptr<const FieldNode>> MergeField(
    const std::shared_ptr<const FieldNode>& base, const std::shared_ptr<const FieldNode>& update);

// {"type": ..., ...} as GET shows it.
void AppendFieldJson(const FieldNode& node, std::string& out);

}  // namespace curlew::mapping

#endif  // CURLEW_ENGINE_MAPPING_FIELD_PARAMS_H_
