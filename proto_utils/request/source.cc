#include "proto_utils/request/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/util/error.h"
#include "proto_utils/request/refusal.h"
#include "protos/opensearch/common.pb.h"
#include "protos/opensearch/search_request.pb.h"

namespace curlew::proto_utils {

using org::opensearch::protobufs::SearchRequest;
using org::opensearch::protobufs::SourceConfig;
using org::opensearch::protobufs::SourceConfigParam;
using org::opensearch::protobufs::SourceFilter;

namespace {

template <typename Repeated>
std::vector<std::string> ToVector(const Repeated& repeated) {
  return {repeated.begin(), repeated.end()};
}

absl::Status ConvertParameters(const SearchRequest& proto, search::SourceFilter& out) {
  const SourceConfigParam& param = proto.x_source();
  CURLEW_RETURN_IF_ERROR(RefuseUnknown(param, "x_source"));
  if (param.has_fetch()) out.fetch = param.fetch();
  if (param.has_fields()) {
    CURLEW_RETURN_IF_ERROR(RefuseUnknown(param.fields(), "x_source.fields"));
    out.includes = ToVector(param.fields().string_array());
  }
  if (!proto.x_source_includes().empty()) out.includes = ToVector(proto.x_source_includes());
  out.excludes = ToVector(proto.x_source_excludes());
  return absl::OkStatus();
}

absl::Status ConvertBody(const SourceConfig& config, search::SourceFilter& out) {
  constexpr char kPath[] = "search_request_body.x_source";
  CURLEW_RETURN_IF_ERROR(RefuseUnknown(config, kPath));
  if (config.has_fetch()) out.fetch = config.fetch();
  if (config.has_filter()) {
    const SourceFilter& filter = config.filter();
    CURLEW_RETURN_IF_ERROR(RefuseOthers(
        filter, {SourceFilter::kIncludesFieldNumber, SourceFilter::kExcludesFieldNumber},
        Join(kPath, "filter")));
    out.includes = ToVector(filter.includes());
    out.excludes = ToVector(filter.excludes());
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ConvertSource(const SearchRequest& proto, search::SourceFilter& out) {
  const bool parameters =
      (proto.has_x_source() && proto.x_source().source_config_param_case() !=
                                   SourceConfigParam::SOURCE_CONFIG_PARAM_NOT_SET) ||
      !proto.x_source_includes().empty() || !proto.x_source_excludes().empty();
  // The body is looked at in any case, so that what is wrong there does not pass unseen.
  search::SourceFilter body;
  CURLEW_RETURN_IF_ERROR(ConvertBody(proto.search_request_body().x_source(), body));
  search::SourceFilter from_parameters;
  CURLEW_RETURN_IF_ERROR(ConvertParameters(proto, from_parameters));
  out = std::move(parameters ? from_parameters : body);

  for (const std::string& path : out.includes) {
    if (std::find(out.excludes.begin(), out.excludes.end(), path) != out.excludes.end()) {
      return Invalid(parameters ? "x_source" : "search_request_body.x_source",
                     fmt::format("the entry [{}] is both included and excluded", Clip(path)));
    }
  }
  return absl::OkStatus();
}

}  // namespace curlew::proto_utils
