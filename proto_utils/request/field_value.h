// FieldValue, the wire's value of any type -> the engine's.
#ifndef CURLEW_PROTO_UTILS_REQUEST_FIELD_VALUE_H_
#define CURLEW_PROTO_UTILS_REQUEST_FIELD_VALUE_H_

#include <string_view>

#include "absl/status/status.h"
#include "engine/mapping/query_value.h"

namespace org::opensearch::protobufs {
class FieldValue;
}

namespace curlew::proto_utils {

// FieldValue is no oneof: a number counts before text, text before a boolean, that before null.
// Floats become doubles, uint64 keeps its type. Returns nullptr, or what is wrong with a value that
// says nothing.
const char* ReadFieldValue(const org::opensearch::protobufs::FieldValue& value,
                           mapping::QueryValue& out);

// The same, with `path` in the error.
absl::Status ConvertFieldValue(const org::opensearch::protobufs::FieldValue& value,
                               std::string_view path, mapping::QueryValue& out);

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_REQUEST_FIELD_VALUE_H_
