// Requests from protobuf's text format, for tests.
#ifndef CURLEW_TEST_PROTO_UTILS_REQUEST_TEXT_H_
#define CURLEW_TEST_PROTO_UTILS_REQUEST_TEXT_H_

#include <google/protobuf/text_format.h>

#include <stdexcept>
#include <string>

#include "proto_utils/request/search_request.h"
#include "protos/opensearch/search_request.pb.h"

namespace curlew::test {

template <typename Message>
Message Parse(const std::string& text) {
  Message message;
  if (!google::protobuf::TextFormat::ParseFromString(text, &message)) {
    throw std::invalid_argument("not in text format: " + text);
  }
  return message;
}

// The outcome of converting a request given in text format.
struct Conversion {
  explicit Conversion(const std::string& text)
      : proto(Parse<org::opensearch::protobufs::SearchRequest>(text)),
        status(proto_utils::ConvertSearchRequest(proto, converted)) {}

  org::opensearch::protobufs::SearchRequest proto;
  proto_utils::ConvertedSearch converted;
  absl::Status status;

  const search::SearchRequest& request() const { return converted.request; }
};

// The same of a body.
inline Conversion ConvertBody(const std::string& text) {
  return Conversion("search_request_body { " + text + " }");
}

}  // namespace curlew::test

#endif  // CURLEW_TEST_PROTO_UTILS_REQUEST_TEXT_H_
