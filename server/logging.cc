#include "server/logging.h"

#include <fmt/format.h>
#include <grpc/support/log.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <ctime>
#include <memory>
#include <utility>

namespace curlew::server {
namespace {

// %*: the message, escaped.
class JsonMessage final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&,
              spdlog::memory_buf_t& out) override {
    const std::string text =
        EscapeJson(std::string_view(message.payload.data(), message.payload.size()));
    out.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<JsonMessage>();
  }
};

void OnGrpcLog(gpr_log_func_args* args) {
  // gRPC calls errors what are the peers' mistakes: broken connections, refused handshakes.
  const auto level = args->severity == GPR_LOG_SEVERITY_ERROR  ? spdlog::level::warn
                     : args->severity == GPR_LOG_SEVERITY_INFO ? spdlog::level::debug
                                                               : spdlog::level::trace;
  spdlog::log(level, "grpc: {}", args->message);
}

}  // namespace

std::string EscapeJson(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

void SetUpLogging(const config::LogSettings& settings) {
  auto logger =
      std::make_shared<spdlog::logger>("curlew", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  const bool json =
      settings.format == "json" || (settings.format == "auto" && isatty(STDERR_FILENO) == 0);
  auto formatter =
      std::make_unique<spdlog::pattern_formatter>(spdlog::pattern_time_type::utc, "\n");
  formatter->add_flag<JsonMessage>('*').set_pattern(
      json ? R"({"ts":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l","msg":"%*"})"
           : "%Y-%m-%dT%H:%M:%S.%eZ %l %v");
  logger->set_formatter(std::move(formatter));
  logger->set_level(spdlog::level::from_str(settings.level));
  logger->flush_on(spdlog::level::trace);
  spdlog::set_default_logger(std::move(logger));
  gpr_set_log_function(&OnGrpcLog);
}

}  // namespace curlew::server
