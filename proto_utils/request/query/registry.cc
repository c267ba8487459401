#include "proto_utils/request/query/registry.h"

#include <fmt/format.h>

#include "proto_utils/request/query/converter.h"
#include "proto_utils/request/refusal.h"
#include "protos/opensearch/query/query_container.pb.h"

namespace curlew::proto_utils {

using org::opensearch::protobufs::QueryContainer;

namespace {

// Null: not served.
QueryConverter ConverterOf(QueryContainer::QueryContainerCase kind) {
  switch (kind) {
    case QueryContainer::kBool:
      return ConvertBool;
    case QueryContainer::kConstantScore:
      return ConvertConstantScore;
    case QueryContainer::kExists:
      return ConvertExists;
    case QueryContainer::kIds:
      return ConvertIds;
    case QueryContainer::kMatch:
      return ConvertMatch;
    case QueryContainer::kMatchAll:
      return ConvertMatchAll;
    case QueryContainer::kMatchNone:
      return ConvertMatchNone;
    case QueryContainer::kMatchPhrase:
      return ConvertMatchPhrase;
    case QueryContainer::kRange:
      return ConvertRange;
    case QueryContainer::kTerm:
      return ConvertTerm;
    case QueryContainer::kTerms:
      return ConvertTerms;
    default:
      return nullptr;
  }
}

absl::StatusOr<search::QueryPtr> ConvertAt(const QueryContainer& container, QueryPlace place) {
  if (place.depth >= kMaxQueryDepth) {
    return Invalid(place.path,
                   fmt::format("queries may be nested at most {} deep", kMaxQueryDepth));
  }
  if (absl::Status status = RefuseUnknown(container, place.path); !status.ok()) return status;
  const auto kind = container.query_container_case();
  if (kind == QueryContainer::QUERY_CONTAINER_NOT_SET) {
    return Invalid(place.path, "unsupported query type in container (QUERYCONTAINER_NOT_SET)");
  }
  place.path = Join(place.path, QueryContainer::descriptor()->FindFieldByNumber(kind)->name());
  const QueryConverter convert = ConverterOf(kind);
  if (convert == nullptr) return NotServed(place.path);
  return convert(container, place);
}

}  // namespace

absl::StatusOr<search::QueryPtr> ConvertQuery(const QueryContainer& container,
                                              const std::string& path) {
  return ConvertAt(container, {path, 0});
}

absl::StatusOr<search::QueryPtr> ConvertInnerQuery(const QueryContainer& container,
                                                   const QueryPlace& outer, std::string path,
                                                   float boost) {
  return ConvertAt(container, {std::move(path), outer.depth + 1, boost});
}

}  // namespace curlew::proto_utils
