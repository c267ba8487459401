// What is wrong with a text that is not JSON, in words for whoever wrote it.
#ifndef CURLEW_ENGINE_UTIL_JSON_ERROR_H_
#define CURLEW_ENGINE_UTIL_JSON_ERROR_H_

#include <simdjson.h>

#include <string>
#include <string_view>

namespace curlew {

// `code` is what simdjson says of `json`: its own words, unless they would mislead. A whole object
// or array with something behind it is one that "ended early" to it; here it is said what follows,
// and where.
std::string DescribeJsonError(simdjson::error_code code, std::string_view json);

}  // namespace curlew

#endif  // CURLEW_ENGINE_UTIL_JSON_ERROR_H_
