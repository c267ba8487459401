#include <fmt/format.h>

#include <cmath>

#include "engine/util/error.h"
#include "proto_utils/request/query/converter.h"
#include "proto_utils/request/refusal.h"
#include "protos/opensearch/query/options.pb.h"

namespace curlew::proto_utils {

using org::opensearch::protobufs::MinimumShouldMatch;

absl::Status CheckBoost(float boost, const QueryPlace& place) {
  const std::string& path = place.path;
  if (std::isnan(boost) || std::isinf(boost)) {
    return Invalid(Join(path, "boost"), fmt::format("[boost] must be finite, found [{}]", boost));
  }
  if (std::signbit(boost)) {
    return Invalid(Join(path, "boost"),
                   fmt::format("negative [boost] are not allowed, found [{}]", boost));
  }
  if (std::isinf(place.boost * boost)) {
    return Invalid(Join(path, "boost"),
                   fmt::format("boost must be a positive float, got Infinity: [{}] times what the "
                               "queries around it multiply by, [{}]",
                               boost, place.boost));
  }
  return absl::OkStatus();
}

absl::Status ReadMinimumShouldMatch(const MinimumShouldMatch& proto, std::string_view path,
                                    std::string& out) {
  CURLEW_RETURN_IF_ERROR(RefuseUnknown(proto, path));
  switch (proto.minimum_should_match_case()) {
    case MinimumShouldMatch::kInt32:
      out = fmt::format("{}", proto.int32());
      break;
    case MinimumShouldMatch::kString:
      out = proto.string();
      break;
    case MinimumShouldMatch::MINIMUM_SHOULD_MATCH_NOT_SET:
      out.clear();
      break;
  }
  return absl::OkStatus();
}

}  // namespace curlew::proto_utils
