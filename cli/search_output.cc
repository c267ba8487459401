#include "cli/search_output.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

#include "cli/printable.h"
#include "cli/raw_json.h"
#include "engine/util/error.h"
#include "protos/opensearch/errors.pb.h"
#include "protos/opensearch/search_response.pb.h"

namespace curlew::cli {
namespace {

namespace os = org::opensearch::protobufs;

constexpr size_t kValueWidth = 100;

std::string NumberText(const os::GeneralNumber& number) {
  switch (number.value_case()) {
    case os::GeneralNumber::kInt32Value:
      return fmt::format("{}", number.int32_value());
    case os::GeneralNumber::kInt64Value:
      return fmt::format("{}", number.int64_value());
    case os::GeneralNumber::kUint64Value:
      return fmt::format("{}", number.uint64_value());
    case os::GeneralNumber::kFloatValue:
      return fmt::format("{}", number.float_value());
    default:
      return fmt::format("{}", number.double_value());
  }
}

std::string SortText(const os::FieldValue& value) {
  if (value.has_general_number()) return NumberText(value.general_number());
  if (value.has_string()) return value.string();
  if (value.has_bool_()) return value.bool_() ? "true" : "false";
  return "null";
}

std::string TotalText(const os::HitsMetadata& hits) {
  if (!hits.total().has_total_hits()) return "hits (not counted)";
  const os::TotalHits& total = hits.total().total_hits();
  const bool more = total.relation() == os::TOTAL_HITS_RELATION_GTE;
  return fmt::format("{}{} hit{}", more ? "at least " : "", total.value(),
                     total.value() == 1 ? "" : "s");
}

// Valid JSON without the spaces between its tokens.
std::string WithoutSpaces(std::string_view json) {
  std::string out(json.size() + simdjson::SIMDJSON_PADDING, '\0');
  size_t size = 0;
  if (simdjson::minify(json.data(), json.size(), out.data(), size) != simdjson::SUCCESS) {
    return std::string(json);
  }
  out.resize(size);
  return out;
}

// The members of a source, a line each, values cut to one line.
void AppendSource(const std::string& source, std::string& out) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (parser.parse(source).get(root) != simdjson::SUCCESS || !root.is_object()) {
    out += fmt::format("      {}\n", Printable(Clip(source, kValueWidth)));
    return;
  }
  size_t width = 0;
  const simdjson::dom::object object = root.get_object().value_unsafe();
  for (const auto [key, value] : object) width = std::max(width, std::min<size_t>(key.size(), 24));
  std::string copy = source;
  simdjson::ondemand::parser lazy_parser;
  simdjson::ondemand::document document = lazy_parser.iterate(Padded(copy));
  for (auto member : document.get_object()) {
    const std::string key(std::string_view(member.unescaped_key()));
    simdjson::ondemand::value value = member.value();
    std::string text = value.type() == simdjson::ondemand::json_type::string
                           ? std::string(std::string_view(value.get_string()))
                           : WithoutSpaces(RawText(value));
    out += fmt::format("      {:<{}}  {}\n", Printable(key), width,
                       Printable(Clip(text, kValueWidth)));
  }
}

void AppendHit(const os::HitsMetadataHitsInner& hit, int rank, std::string& out) {
  out += fmt::format("{:>4}.", rank);
  if (hit.sort_size() > 0) {
    for (int i = 0; i < hit.sort_size(); ++i) {
      out += fmt::format("{} {}", i == 0 ? " " : ",", Printable(SortText(hit.sort(i))));
    }
  } else if (hit.x_score().has_double_()) {
    out += fmt::format("  {:.4f}", hit.x_score().double_());
  }
  out += fmt::format("  {}/{}\n", hit.x_index(), Printable(hit.x_id()));
  if (hit.has_x_source()) AppendSource(hit.x_source(), out);
}

}  // namespace

std::string FormatSearchResponse(const os::SearchResponse& response, int from) {
  std::string out =
      fmt::format("{} in {} ms ({} of {} shards)\n", TotalText(response.hits()), response.took(),
                  response.x_shards().successful(), response.x_shards().total());
  for (const auto& failure : response.x_shards().failures_2()) {
    out += fmt::format("  shard {} of {} failed: {}\n", failure.shard(), failure.index(),
                       failure.reason().reason());
  }
  int rank = from;
  for (const auto& hit : response.hits().hits()) AppendHit(hit, ++rank, out);
  return out;
}

}  // namespace curlew::cli
