// Bodies of administration requests: REST's JSON, given as a Struct or as text.
#ifndef CURLEW_HANDLERS_JSON_BODY_H_
#define CURLEW_HANDLERS_JSON_BODY_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace google::protobuf {
class Struct;
}

namespace curlew::handlers {

// The text of a body. `body` is null when the request has none. Both forms at once, or none where
// one is `required`, is an illegal argument; an optional body that is absent gives "".
absl::StatusOr<std::string> BodyJson(const google::protobuf::Struct* body,
                                     const std::string& body_json, bool required);

// Fills `out` from the text of a JSON object.
absl::Status FillStruct(std::string_view json, google::protobuf::Struct& out);

}  // namespace curlew::handlers

#endif  // CURLEW_HANDLERS_JSON_BODY_H_
