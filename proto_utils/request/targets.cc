#include "proto_utils/request/targets.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "engine/util/error.h"
#include "proto_utils/request/refusal.h"
#include "protos/opensearch/search_request.pb.h"

namespace curlew::proto_utils {

using namespace org::opensearch::protobufs;  // NOLINT: the enumerators of ExpandWildcard

namespace {

// The non-empty parts of `text` between commas.
std::vector<std::string_view> SplitAtCommas(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    if (comma != 0) parts.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return parts;
}

}  // namespace

absl::Status ConvertIndexOptions(const SearchRequest& proto, catalog::ResolveOptions& out) {
  if (proto.has_allow_no_indices()) out.allow_no_indices = proto.allow_no_indices();
  if (proto.has_ignore_unavailable()) out.ignore_unavailable = proto.ignore_unavailable();
  if (proto.expand_wildcards().empty()) return absl::OkStatus();
  out.expand_wildcards_open = false;
  for (int i = 0; i < proto.expand_wildcards_size(); ++i) {
    switch (proto.expand_wildcards(i)) {
      case EXPAND_WILDCARD_ALL:
      case EXPAND_WILDCARD_OPEN:
        out.expand_wildcards_open = true;
        break;
      case EXPAND_WILDCARD_NONE:
        out.expand_wildcards_open = false;
        break;
      case EXPAND_WILDCARD_CLOSED:
      case EXPAND_WILDCARD_HIDDEN:
        break;
      default:
        return Invalid(At("expand_wildcards", i),
                       fmt::format("no valid expand wildcard value [{}]",
                                   static_cast<int>(proto.expand_wildcards(i))));
    }
  }
  return absl::OkStatus();
}

std::optional<std::vector<std::string>> ConvertRouting(const SearchRequest& proto) {
  if (proto.routing().empty()) return std::nullopt;
  std::vector<std::string> values;
  for (const std::string& entry : proto.routing()) {
    for (std::string_view part : SplitAtCommas(entry)) values.emplace_back(part);
  }
  return values;
}

absl::Status ConvertPreference(const SearchRequest& proto,
                               std::optional<std::vector<int>>& shards) {
  std::string_view preference = proto.preference();
  if (!preference.starts_with('_')) return absl::OkStatus();

  constexpr std::string_view kShards = "_shards:";
  if (preference.starts_with(kShards)) {
    std::string_view list = preference.substr(kShards.size());
    const size_t bar = list.find('|');
    preference = bar == std::string_view::npos ? std::string_view() : list.substr(bar + 1);
    list = list.substr(0, bar);
    shards.emplace();
    for (std::string_view part : SplitAtCommas(list)) {
      int number = 0;
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
      if (error != std::errc() || end != part.data() + part.size()) {
        return Invalid("preference", fmt::format("[{}] is no shard number", Clip(part)));
      }
      shards->push_back(number);
    }
    if (!preference.starts_with('_')) return absl::OkStatus();
  }
  for (std::string_view known :
       {"_local", "_only_local", "_primary", "_primary_first", "_replica_first"}) {
    if (preference == known) return absl::OkStatus();
  }
  if (preference.starts_with("_prefer_nodes:")) return absl::OkStatus();
  for (std::string_view refused : {"_replica", "_only_nodes:"}) {
    if (preference.starts_with(refused))
      return NotServed(fmt::format("preference [{}]", Clip(preference)));
  }
  return Invalid("preference", fmt::format("no preference for [{}]", Clip(preference)));
}

}  // namespace curlew::proto_utils
