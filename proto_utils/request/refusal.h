// What a request may not say: how its errors read, and the check that leaves nothing unread.
#ifndef CURLEW_PROTO_UTILS_REQUEST_REFUSAL_H_
#define CURLEW_PROTO_UTILS_REQUEST_REFUSAL_H_

#include <google/protobuf/message.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace curlew::proto_utils {

// INVALID_ARGUMENT: `path` names the field, `reason` what is wrong with which value.
absl::Status Invalid(std::string_view path, std::string_view reason);

// UNIMPLEMENTED: "search_request_body.rescore is not supported yet".
absl::Status NotServed(std::string_view path);

// `path` and `name` joined by a dot; the name alone at the top of a request.
std::string Join(std::string_view path, std::string_view name);
// `path[index]`, `path[key]`.
std::string At(std::string_view path, int index);
std::string At(std::string_view path, std::string_view key);

// Refuses fields that this version of the schema does not know: a newer client must not believe
// that they were heeded.
bool HasUnknown(const google::protobuf::Message& message);
absl::Status RefuseUnknown(const google::protobuf::Message& message, std::string_view path);

// The same for `message` and every message inside it: for requests whose fields are all served.
absl::Status RefuseAllUnknown(const google::protobuf::Message& message);

// Refuses every field set in `message` whose number is not among `served`, and unknown ones. Looks
// at this message only; who reads a message inside it calls this for it again. So a field that no
// converter reads cannot be ignored, whatever the schema gains later.
absl::Status RefuseOthers(const google::protobuf::Message& message,
                          std::initializer_list<int> served, std::string_view path);

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_REQUEST_REFUSAL_H_
