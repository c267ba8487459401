#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <string>

#include "engine/analysis/lowercase_filter.h"
#include "engine/catalog/catalog.h"
#include "engine/util/error.h"

namespace curlew::catalog {
namespace {

constexpr size_t kMaxNameBytes = 255;
// Besides these, OpenSearch lets tab and newline pass; nobody means them, and no file system tool
// likes them.
constexpr std::string_view kForbidden = " \"*\\<|,>/?";

absl::Status Invalid(std::string_view name, std::string_view why) {
  absl::Status status = MakeError("invalid_index_name_exception", 400,
                                  fmt::format("Invalid index name [{}], {}", Clip(name), why));
  return WithMetadata(std::move(status), "index", Clip(name));
}

}  // namespace

absl::Status CheckIndexName(std::string_view name) {
  if (name.empty()) return Invalid(name, "must not be empty");
  const auto forbidden = [](unsigned char c) {
    return kForbidden.find(static_cast<char>(c)) != std::string_view::npos || c < 0x20 || c == 0x7f;
  };
  if (std::any_of(name.begin(), name.end(), forbidden)) {
    return Invalid(name,
                   "must not contain the following characters [ , \", *, \\, <, |, ,, >, /, ?]");
  }
  if (name.find('#') != std::string_view::npos) return Invalid(name, "must not contain '#'");
  if (name.find(':') != std::string_view::npos) return Invalid(name, "must not contain ':'");
  if (name[0] == '_' || name[0] == '-' || name[0] == '+') {
    return Invalid(name, "must not start with '_', '-', or '+'");
  }
  if (name == "." || name == "..") return Invalid(name, "must not be '.' or '..'");
  if (name.size() > kMaxNameBytes) {
    return Invalid(name,
                   fmt::format("index name is too long, ({} > {})", name.size(), kMaxNameBytes));
  }
  if (!simdjson::validate_utf8(name.data(), name.size())) {
    return Invalid(name, "must be valid UTF-8");
  }
  if (std::string scratch; analysis::ToLowercase(name, scratch) != name) {
    return Invalid(name, "must be lowercase");
  }
  return absl::OkStatus();
}

}  // namespace curlew::catalog
