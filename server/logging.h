// Where log lines go and what they look like.
#ifndef CURLEW_SERVER_LOGGING_H_
#define CURLEW_SERVER_LOGGING_H_

#include <string>
#include <string_view>

#include "config/settings.h"

namespace curlew::server {

// Makes spdlog's default logger write to stderr, as text or as one JSON object a line (UTC times),
// and gRPC log through it. Once, at start.
void SetUpLogging(const config::LogSettings& settings);

// `text` as the inside of a JSON string.
std::string EscapeJson(std::string_view text);

}  // namespace curlew::server

#endif  // CURLEW_SERVER_LOGGING_H_
