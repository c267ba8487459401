// What the converters of the query kinds share. Each kind has a file of its own with one function;
// the registry (registry.cc) says which arm of QueryContainer it serves.
#ifndef CURLEW_PROTO_UTILS_REQUEST_QUERY_CONVERTER_H_
#define CURLEW_PROTO_UTILS_REQUEST_QUERY_CONVERTER_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/search/query/query.h"

namespace org::opensearch::protobufs {
class MinimumShouldMatch;
class QueryContainer;
}  // namespace org::opensearch::protobufs

namespace curlew::proto_utils {

// Deeper trees are refused: every level costs stack wherever the tree is walked.
inline constexpr int kMaxQueryDepth = 100;

// Where a query stands: its path in messages, how many queries are around it, and by what they
// multiply its score.
struct QueryPlace {
  std::string path;
  int depth = 0;
  float boost = 1.0f;
};

// Converts the arm it is registered for; `place.path` ends with the arm's name.
using QueryConverter = absl::StatusOr<search::QueryPtr> (*)(
    const org::opensearch::protobufs::QueryContainer& container, const QueryPlace& place);

// A query inside the one at `outer`; `path` is its own. `boost` is what `outer` and all around it
// multiply its score by; 1 where that is not asked for.
absl::StatusOr<search::QueryPtr> ConvertInnerQuery(
    const org::opensearch::protobufs::QueryContainer& container, const QueryPlace& outer,
    std::string path, float boost);

// Negative (also -0.0) and non-finite boosts are refused, and those that become infinite with the
// boosts around them.
absl::Status CheckBoost(float boost, const QueryPlace& place);

// As text, the form the engine takes; "" when nothing is set.
absl::Status ReadMinimumShouldMatch(const org::opensearch::protobufs::MinimumShouldMatch& proto,
                                    std::string_view path, std::string& out);

absl::StatusOr<search::QueryPtr> ConvertBool(const org::opensearch::protobufs::QueryContainer&,
                                             const QueryPlace&);
absl::StatusOr<search::QueryPtr> ConvertConstantScore(
    const org::opensearch::protobufs::QueryContainer&, const QueryPlace&);
absl::StatusOr<search::QueryPtr> ConvertExists(const org::opensearch::protobufs::QueryContainer&,
                                               const QueryPlace&);
absl::StatusOr<search::QueryPtr> ConvertIds(const org::opensearch::protobufs::QueryContainer&,
                                            const QueryPlace&);
absl::StatusOr<search::QueryPtr> ConvertMatch(const org::opensearch::protobufs::QueryContainer&,
                                              const QueryPlace&);
absl::StatusOr<search::QueryPtr> ConvertMatchAll(const org::opensearch::protobufs::QueryContainer&,
                                                 const QueryPlace&);
absl::StatusOr<search::QueryPtr> ConvertMatchNone(const org::opensearch::protobufs::QueryContainer&,
                                                  const QueryPlace&);
absl::StatusOr<search::QueryPtr> ConvertMatchPhrase(
    const org::opensearch::protobufs::QueryContainer&, const QueryPlace&);
absl::StatusOr<search::QueryPtr> ConvertRange(const org::opensearch::protobufs::QueryContainer&,
                                              const QueryPlace&);
absl::StatusOr<search::QueryPtr> ConvertTerm(const org::opensearch::protobufs::QueryContainer&,
                                             const QueryPlace&);
absl::StatusOr<search::QueryPtr> ConvertTerms(const org::opensearch::protobufs::QueryContainer&,
                                              const QueryPlace&);

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_REQUEST_QUERY_CONVERTER_H_
