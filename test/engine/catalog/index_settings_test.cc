// What the "settings" of a create-index body may say.
#include <catch2/catch.hpp>
#include <chrono>

#include "engine/catalog/settings_json.h"
#include "test/engine/catalog/catalog_fixture.h"

namespace curlew::catalog {
namespace {

using namespace std::chrono_literals;
using Given = std::map<std::string, std::string>;

IndexSettings Parsed(std::string_view json) {
  auto settings = IndexSettings::Parse(json);
  INFO(json << ": " << settings.status());
  REQUIRE(settings.ok());
  return *std::move(settings);
}

absl::Status Refused(std::string_view json) {
  auto settings = IndexSettings::Parse(json);
  INFO(json);
  REQUIRE(!settings.ok());
  return settings.status();
}

TEST_CASE("settings that are not given have OpenSearch's defaults") {
  for (const char* json : {"", "{}", R"({"index": {}})", R"({"number_of_shards": null})"}) {
    const IndexSettings settings = Parsed(json);
    CHECK(settings.number_of_shards == 1);
    CHECK(settings.number_of_replicas == 1);
    CHECK(settings.refresh_interval == 1s);
    CHECK(settings.gc_deletes == 60s);
    CHECK(settings.max_result_window == 10000);
    CHECK(settings.mapping_limits.total_fields == 1000);
    CHECK(settings.mapping_limits.depth == 20);
    CHECK(settings.mapping_limits.field_name_length == 50000);
    CHECK(settings.given.empty());
  }
}

TEST_CASE("every spelling of a key means the same") {
  for (const char* json : {R"({"number_of_shards": 3})", R"({"number_of_shards": "3"})",
                           R"({"number_of_shards": 3.0})", R"({"index.number_of_shards": 3})",
                           R"({"index": {"number_of_shards": "3"}})"}) {
    const IndexSettings settings = Parsed(json);
    CHECK(settings.number_of_shards == 3);
    CHECK(settings.given == Given{{"index.number_of_shards", "3"}});
  }
  for (const char* json :
       {R"({"mapping.depth.limit": 7})", R"({"mapping": {"depth": {"limit": 7}}})",
        R"({"index": {"mapping.depth": {"limit": "7"}}})",
        R"({"index.mapping": {"depth.limit": 7}})"}) {
    const IndexSettings settings = Parsed(json);
    CHECK(settings.mapping_limits.depth == 7);
    CHECK(settings.given == Given{{"index.mapping.depth.limit", "7"}});
  }
}

TEST_CASE("all settings that are served") {
  const IndexSettings settings = Parsed(R"({"index": {
      "number_of_shards": 1024, "number_of_replicas": 0, "max_result_window": 2147483647,
      "refresh_interval": "-1", "gc_deletes": "5m",
      "mapping": {"total_fields.limit": 5, "depth.limit": 1, "field_name_length.limit": 60}}})");
  CHECK(settings.number_of_shards == 1024);
  CHECK(settings.number_of_replicas == 0);
  CHECK(settings.max_result_window == 2147483647);
  CHECK(settings.refresh_interval < 0ms);
  CHECK(settings.gc_deletes == 5min);
  CHECK(settings.mapping_limits.total_fields == 5);
  CHECK(settings.mapping_limits.depth == 1);
  CHECK(settings.mapping_limits.field_name_length == 60);

  // What is kept on disk means the same when it is read back.
  const auto again = IndexSettings::FromGiven(settings.given);
  REQUIRE(again.ok());
  CHECK(again->number_of_shards == 1024);
  CHECK(again->gc_deletes == 5min);
  CHECK(again->given == settings.given);
}

TEST_CASE("values out of bounds name the setting, the value and the bound") {
  const std::vector<std::tuple<std::string, std::string, std::string>> wrong = {
      {"number_of_shards", "0", ">= 1"},       {"number_of_shards", "-1", ">= 1"},
      {"number_of_shards", "1025", "<= 1024"}, {"number_of_replicas", "-1", ">= 0"},
      {"max_result_window", "0", ">= 1"},      {"max_result_window", "2147483648", "<= 2147483647"},
      {"mapping.depth.limit", "0", ">= 1"},    {"mapping.total_fields.limit", "-1", ">= 0"}};
  for (const auto& [key, value, bound] : wrong) {
    const absl::Status status = Refused("{\"" + key + "\": " + value + "}");
    CHECK(ErrorType(status) == "illegal_argument_exception");
    CHECK(Reason(status) ==
          "Failed to parse value [" + value + "] for setting [index." + key + "] must be " + bound);
  }
}

TEST_CASE("values that are no numbers") {
  for (const char* value : {R"("")", R"("many")", "1.5", "1e300", "-1e300", "true", R"("3 ")",
                            R"("0x1")", "18446744073709551615", R"("99999999999999999999")"}) {
    const absl::Status status = Refused(std::string(R"({"number_of_shards": )") + value + "}");
    CHECK(ErrorType(status) == "illegal_argument_exception");
    CHECK(Reason(status).find("[index.number_of_shards]") != std::string::npos);
  }
  CHECK(Reason(Refused(R"({"number_of_shards": [1]})")) ==
        "setting [index.number_of_shards] takes one value, not [[1]]");
  CHECK(Reason(Refused(R"({"refresh_interval": "10"})")) ==
        "failed to parse setting [index.refresh_interval] with value [10] as a time value: unit is "
        "missing or unrecognized");
}

TEST_CASE("unknown settings and those that are not served are told apart") {
  for (const char* json :
       {R"({"nosuch": 1})", R"({"index.number_of_shard": 1})",
        R"({"index": {"index": {"number_of_shards": 1}}})", R"({"index": 3})", R"({"": 1})"}) {
    const absl::Status status = Refused(json);
    CHECK(ErrorType(status) == "illegal_argument_exception");
    CHECK(status.code() == absl::StatusCode::kInvalidArgument);
    CHECK(Reason(status).find("unknown setting [index.") == 0);
  }
  const std::vector<std::pair<std::string, std::string>> unserved = {
      {R"({"codec.qatmode": "auto"})", "index.codec.qatmode"},
      {R"({"sort.field": ["a", "b"]})", "index.sort.field"},
      {R"({"analysis": {"analyzer": {"x": {"tokenizer": "standard"}}}})",
       "index.analysis.analyzer.x.tokenizer"},
      {R"({"max_ngram_diff": 3})", "index.max_ngram_diff"},
      {R"({"mapping": {"nested_fields.limit": 3}})", "index.mapping.nested_fields.limit"},
      {R"({"routing_partition_size": 2})", "index.routing_partition_size"},
      {R"({"requests.cache.enable": true})", "index.requests.cache.enable"}};
  for (const auto& [json, key] : unserved) {
    const absl::Status status = Refused(json);
    CHECK(status.code() == absl::StatusCode::kUnimplemented);
    CHECK(Reason(status) == "setting [" + key + "] is not supported yet");
  }
}

TEST_CASE("the codec of stored documents") {
  struct Expected {
    std::string json;
    std::string small;
    std::string large;
    int level;
    uint64_t threshold;
  };
  constexpr uint64_t kMb = 1 << 20;
  const std::vector<Expected> all = {
      {"{}", "none", "zstd", 3, 64 * kMb},
      {R"({"codec": "hybrid"})", "none", "zstd", 3, 64 * kMb},
      {R"({"codec": "hybrid", "codec.compression_level": 5})", "none", "zstd", 5, 64 * kMb},
      {R"({"codec.hybrid_threshold": "16mb"})", "none", "zstd", 3, 16 * kMb},
      {R"({"index": {"codec": "hybrid", "codec.hybrid_threshold": "0"}})", "none", "zstd", 3, 0},
      {R"({"codec": "default"})", "lz4", "lz4", 3, 64 * kMb},
      {R"({"codec": "lz4"})", "lz4", "lz4", 3, 64 * kMb},
      {R"({"codec": "best_compression"})", "zstd", "zstd", 3, 64 * kMb},
      {R"({"codec": "zstd"})", "zstd", "zstd", 3, 64 * kMb},
      {R"({"codec": "zstd", "codec.compression_level": "6"})", "zstd", "zstd", 6, 64 * kMb},
      {R"({"index.codec": "zstd_no_dict", "index.codec.compression_level": 1})", "zstd_no_dict",
       "zstd_no_dict", 1, 64 * kMb}};
  for (const Expected& e : all) {
    const IndexSettings settings = Parsed(e.json);
    INFO(e.json);
    CHECK(settings.stored.codec == e.small);
    CHECK(settings.merged_stored.codec == e.large);
    CHECK(settings.merged_stored.level == e.level);
    if (e.small != "none") CHECK(settings.stored.level == e.level);
    CHECK(settings.merged_stored_threshold == e.threshold);
    const auto again = IndexSettings::FromGiven(settings.given);
    REQUIRE(again.ok());
    CHECK(again->stored.codec == e.small);
    CHECK(again->merged_stored_threshold == e.threshold);
  }
}

TEST_CASE("codecs and their settings that are refused") {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {R"({"codec": "lz5"})",
       "unknown value for [index.codec] must be one of [default, lz4, best_compression, zstd, "
       "zstd_no_dict, hybrid] but was: lz5"},
      {R"({"codec": ""})",
       "unknown value for [index.codec] must be one of [default, lz4, best_compression, zstd, "
       "zstd_no_dict, hybrid] but was: "},
      {R"({"codec": "zstd", "codec.compression_level": 7})",
       "Failed to parse value [7] for setting [index.codec.compression_level] must be <= 6"},
      {R"({"codec": "zstd", "codec.compression_level": 0})",
       "Failed to parse value [0] for setting [index.codec.compression_level] must be >= 1"},
      {R"({"codec.compression_level": 3})",
       "missing required setting [index.codec] for setting [index.codec.compression_level]"},
      {R"({"codec": "best_compression", "codec.compression_level": 3})",
       "Compression level cannot be set for the best_compression codec."},
      {R"({"codec": "default", "codec.compression_level": 3})",
       "Compression level cannot be set for the default codec."},
      {R"({"codec": "zstd", "codec.hybrid_threshold": "1mb"})",
       "[index.codec.hybrid_threshold] cannot be set for the zstd codec."},
      {R"({"codec.hybrid_threshold": "-1"})",
       "failed to parse value [-1] for setting [index.codec.hybrid_threshold], must be >= [0]"}};
  for (const auto& [json, reason] : wrong) {
    const absl::Status status = Refused(json);
    CHECK(ErrorType(status) == "illegal_argument_exception");
    CHECK(Reason(status) == reason);
  }
  const absl::Status size = Refused(R"({"codec.hybrid_threshold": "64"})");
  CHECK(ErrorType(size) == "parse_exception");
  CHECK(Reason(size) ==
        "failed to parse setting [index.codec.hybrid_threshold] with value [64] as a size in "
        "bytes: unit is missing or unrecognized");
  for (const char* codec : {"zlib", "qat_lz4", "qat_deflate", "qat_zstd"}) {
    const absl::Status status = Refused(std::string(R"({"codec": ")") + codec + "\"}");
    CHECK(status.code() == absl::StatusCode::kUnimplemented);
    CHECK(Reason(status) ==
          "value [" + std::string(codec) + "] of setting [index.codec] is not supported yet");
  }
}

TEST_CASE("a setting given twice is refused") {
  CHECK(Reason(Refused(R"({"number_of_shards": 1, "index.number_of_shards": 2})")) ==
        "setting [index.number_of_shards] is given twice");
}

TEST_CASE("settings that are no JSON object") {
  for (const char* json : {"{", "[]", "3", "\"x\"", "{\"a\":}", "{} {}", "\xff"}) {
    CHECK(ErrorType(Refused(json)) == "parse_exception");
  }
}

TEST_CASE("a very long time is cut to what clocks can reckon with") {
  const IndexSettings settings =
      Parsed(R"({"refresh_interval": "106751d", "gc_deletes": "106751d"})");
  CHECK(settings.refresh_interval == std::chrono::hours(24 * 36500));
  CHECK(settings.gc_deletes == std::chrono::hours(24 * 36500));
  // GET shows what was given.
  CHECK(settings.given.at("index.refresh_interval") == "106751d");
}

TEST_CASE("less than a millisecond still refreshes") {
  CHECK(Parsed(R"({"refresh_interval": "10micros"})").refresh_interval == 1ms);
}

TEST_CASE("settings are shown as nested JSON with strings") {
  CHECK(SettingsToJson({}) == "{}");
  CHECK(SettingsToJson({{"index.uuid", "x"}}) == R"({"index":{"uuid":"x"}})");
  CHECK(SettingsToJson({{"index.a-b", "0"},
                        {"index.a.b.c", "1"},
                        {"index.a.b.d", "2"},
                        {"index.a.e", "3"},
                        {"index.z", "4"},
                        {"other.y", "5"}}) ==
        R"({"index":{"a-b":"0","a":{"b":{"c":"1","d":"2"},"e":"3"},"z":"4"},"other":{"y":"5"}})");
  // A value and what stands below it.
  const std::map<std::string, std::string> below = {
      {"index.codec", "zstd"},  {"index.codec-x", "0"},   {"index.codec.level", "5"},
      {"index.codec.x.y", "6"}, {"index.codec.x.z", "7"}, {"index.other.y", "8"}};
  const std::string json = SettingsToJson(below);
  CHECK(json == R"({"index":{"codec":"zstd","codec-x":"0","codec.level":"5",)"
                R"("codec.x":{"y":"6","z":"7"},"other":{"y":"8"}}})");
  CHECK(SettingsToJson({{"index.q", "\"\\\n\xc3\xa9"}}) ==
        "{\"index\":{\"q\":\"\\\"\\\\\\u000a\xc3\xa9\"}}");
}

}  // namespace
}  // namespace curlew::catalog
