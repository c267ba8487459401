#include "engine/catalog/index_settings.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "engine/util/error.h"
#include "engine/util/json_error.h"

namespace curlew::catalog {
namespace {

// Settings of OpenSearch that an index may carry and that are not served yet: refused as such, so
// that nobody takes them for a spelling mistake. An entry ending in a dot stands for all below it.
constexpr std::string_view kNotServed[] = {
    "index.allocation.",
    "index.analysis.",
    "index.append_only.",
    "index.auto_expand_replicas",
    "index.blocks.",
    "index.check_pending_flush.",
    "index.codec.qatmode",
    "index.default_pipeline",
    "index.final_pipeline",
    "index.hidden",
    "index.highlight.",
    "index.indexing.",
    "index.knn",
    "index.knn.",
    "index.lifecycle.",
    "index.load_fixed_bitset_filters_eagerly",
    "index.mapping.",
    "index.max_",
    "index.merge.",
    "index.number_of_routing_shards",
    "index.optimize_auto_generated_id",
    "index.priority",
    "index.query.",
    "index.replication.",
    "index.requests.",
    "index.routing",
    "index.routing.",
    "index.routing_partition_size",
    "index.search.",
    "index.shard.",
    "index.similarity.",
    "index.soft_deletes.",
    "index.sort.",
    "index.store.",
    "index.translog.",
    "index.unassigned.",
    "index.warmer.",
    "index.write.",
};

// Longer times are as good as this one, and points in time reckoned with it stay within 64 bits.
constexpr std::chrono::hours kLongestTime{24 * 36500};

bool NotServed(std::string_view key) {
  return std::any_of(std::begin(kNotServed), std::end(kNotServed), [&](std::string_view known) {
    const char last = known.back();
    return last == '.' || last == '_' ? key.starts_with(known) : key == known;
  });
}

absl::StatusOr<int64_t> ParseBounded(const std::string& key, const std::string& text, int64_t low,
                                     int64_t high) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return IllegalArgument(
        fmt::format("Failed to parse value [{}] for setting [{}]", Clip(text), key));
  }
  if (value < low) {
    return IllegalArgument(
        fmt::format("Failed to parse value [{}] for setting [{}] must be >= {}", value, key, low));
  }
  if (value > high) {
    return IllegalArgument(
        fmt::format("Failed to parse value [{}] for setting [{}] must be <= {}", value, key, high));
  }
  return value;
}

// A scalar as the text that OpenSearch keeps of it.
absl::StatusOr<std::string> ScalarText(const std::string& key, simdjson::dom::element value) {
  switch (value.type()) {
    case simdjson::dom::element_type::STRING:
      return std::string(std::string_view(value));
    case simdjson::dom::element_type::DOUBLE: {
      const double number = value;
      // Whole numbers as such: a Struct makes every number a double.
      constexpr double kExact = 9007199254740992.0;
      if (std::abs(number) <= kExact && number == std::trunc(number)) {
        return fmt::format("{}", static_cast<int64_t>(number));
      }
      return fmt::format("{}", number);
    }
    case simdjson::dom::element_type::BOOL:
    case simdjson::dom::element_type::INT64:
    case simdjson::dom::element_type::UINT64:
      return simdjson::minify(value);
    default:
      return IllegalArgument(fmt::format("setting [{}] takes one value, not [{}]", key,
                                         Clip(simdjson::minify(value))));
  }
}

// {"index": {"mapping": {"depth.limit": 3}}} -> index.mapping.depth.limit = 3.
absl::Status Flatten(const std::string& prefix, simdjson::dom::object object,
                     std::map<std::string, std::string>& out) {
  for (const auto [key, value] : object) {
    std::string path = prefix.empty() ? std::string(key) : fmt::format("{}.{}", prefix, key);
    if (value.is_object()) {
      CURLEW_RETURN_IF_ERROR(Flatten(path, value.get_object().value_unsafe(), out));
      continue;
    }
    if (!path.starts_with("index.")) path.insert(0, "index.");
    if (value.is_null()) continue;  // null = the default
    if (NotServed(path) && value.is_array()) {
      out[path] = simdjson::minify(value);
      continue;
    }
    CURLEW_ASSIGN_OR_RETURN(std::string text, ScalarText(path, value));
    if (!out.emplace(path, std::move(text)).second) {
      return IllegalArgument(fmt::format("setting [{}] is given twice", path));
    }
  }
  return absl::OkStatus();
}

constexpr std::string_view kCodec = "index.codec";
constexpr std::string_view kCodecLevel = "index.codec.compression_level";
constexpr std::string_view kCodecThreshold = "index.codec.hybrid_threshold";
constexpr std::string_view kDefaultCodec = "hybrid";

// The codec of an index and the two settings that depend on it. The names are OpenSearch's, with
// `hybrid` and its threshold besides.
absl::Status ApplyCodec(const std::map<std::string, std::string>& given, IndexSettings& out) {
  const auto text_of = [&](std::string_view key) {
    const auto it = given.find(std::string(key));
    return it == given.end() ? nullptr : &it->second;
  };
  const std::string* const named = text_of(kCodec);
  const std::string codec(named == nullptr ? kDefaultCodec : *named);
  static constexpr std::string_view kUnserved[] = {"zlib", "qat_lz4", "qat_deflate", "qat_zstd"};
  if (std::find(std::begin(kUnserved), std::end(kUnserved), codec) != std::end(kUnserved)) {
    return Unsupported(
        fmt::format("value [{}] of setting [{}] is not supported yet", codec, kCodec));
  }
  static constexpr std::pair<std::string_view, std::string_view> kStored[] = {
      {"default", "lz4"}, {"lz4", "lz4"},     {"best_compression", "zstd"},
      {"zstd", "zstd"},   {"hybrid", "zstd"}, {"zstd_no_dict", "zstd_no_dict"}};
  const auto* const stored = std::find_if(std::begin(kStored), std::end(kStored),
                                          [&](const auto& entry) { return entry.first == codec; });
  if (stored == std::end(kStored)) {
    return IllegalArgument(
        fmt::format("unknown value for [{}] must be one of [default, lz4, best_compression, zstd, "
                    "zstd_no_dict, hybrid] but was: {}",
                    kCodec, Clip(codec)));
  }
  out.merged_stored.codec = stored->second;
  if (const std::string* const text = text_of(kCodecLevel)) {
    CURLEW_ASSIGN_OR_RETURN(const int64_t level,
                            ParseBounded(std::string(kCodecLevel), *text, 1, 6));
    if (named == nullptr) {
      return IllegalArgument(
          fmt::format("missing required setting [{}] for setting [{}]", kCodec, kCodecLevel));
    }
    if (!stored->second.starts_with("zstd") || codec == "best_compression") {
      return IllegalArgument(
          fmt::format("Compression level cannot be set for the {} codec.", codec));
    }
    out.merged_stored.level = static_cast<int>(level);
  }
  const std::string* const threshold = text_of(kCodecThreshold);
  if (codec == kDefaultCodec) {
    if (threshold != nullptr) {
      CURLEW_ASSIGN_OR_RETURN(out.merged_stored_threshold,
                              ParseByteSize(*threshold, kCodecThreshold));
    }
    return absl::OkStatus();
  }
  if (threshold != nullptr) {
    return IllegalArgument(
        fmt::format("[{}] cannot be set for the {} codec.", kCodecThreshold, codec));
  }
  out.stored = out.merged_stored;
  return absl::OkStatus();
}

absl::Status Apply(const std::string& key, const std::string& text, IndexSettings& out) {
  constexpr int64_t kMaxInt = std::numeric_limits<int32_t>::max();
  const auto bounded = [&](int64_t low, int64_t high, auto& target) -> absl::Status {
    CURLEW_ASSIGN_OR_RETURN(const int64_t value, ParseBounded(key, text, low, high));
    target = static_cast<std::decay_t<decltype(target)>>(value);
    return absl::OkStatus();
  };
  if (key == "index.number_of_shards") return bounded(1, 1024, out.number_of_shards);
  if (key == "index.number_of_replicas") return bounded(0, kMaxInt, out.number_of_replicas);
  if (key == "index.max_result_window") return bounded(1, kMaxInt, out.max_result_window);
  if (key == "index.mapping.total_fields.limit") {
    return bounded(0, kMaxInt, out.mapping_limits.total_fields);
  }
  if (key == "index.mapping.depth.limit") return bounded(1, kMaxInt, out.mapping_limits.depth);
  if (key == "index.mapping.field_name_length.limit") {
    return bounded(1, kMaxInt, out.mapping_limits.field_name_length);
  }
  if (key == "index.refresh_interval" || key == "index.gc_deletes") {
    CURLEW_ASSIGN_OR_RETURN(const std::chrono::nanoseconds time, ParseTimeValue(text, key));
    auto& target = key == "index.refresh_interval" ? out.refresh_interval : out.gc_deletes;
    target = std::min<std::chrono::milliseconds>(std::chrono::ceil<std::chrono::milliseconds>(time),
                                                 kLongestTime);
    return absl::OkStatus();
  }
  // All three together, in ApplyCodec.
  if (key == kCodec || key == kCodecLevel || key == kCodecThreshold) return absl::OkStatus();
  if (NotServed(key)) return Unsupported(fmt::format("setting [{}] is not supported yet", key));
  return IllegalArgument(fmt::format("unknown setting [{}]", Clip(key)));
}

}  // namespace

absl::StatusOr<IndexSettings> IndexSettings::Parse(std::string_view json) {
  if (json.empty()) return IndexSettings{};
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (const auto error = parser.parse(simdjson::padded_string(json)).get(root); error) {
    return MakeError(
        "parse_exception", 400,
        fmt::format("settings are not valid JSON: {}", DescribeJsonError(error, json)));
  }
  if (!root.is_object()) {
    return MakeError("parse_exception", 400, "key [settings] must be an object");
  }
  std::map<std::string, std::string> given;
  CURLEW_RETURN_IF_ERROR(Flatten("", root.get_object().value_unsafe(), given));
  return FromGiven(std::move(given));
}

absl::StatusOr<IndexSettings> IndexSettings::FromGiven(std::map<std::string, std::string> given) {
  IndexSettings out;
  for (const auto& [key, text] : given) CURLEW_RETURN_IF_ERROR(Apply(key, text, out));
  CURLEW_RETURN_IF_ERROR(ApplyCodec(given, out));
  out.given = std::move(given);
  return out;
}

}  // namespace curlew::catalog
