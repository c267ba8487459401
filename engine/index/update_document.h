// A partial document merged into a whole one, as OpenSearch's update does it.
#ifndef CURLEW_ENGINE_INDEX_UPDATE_DOCUMENT_H_
#define CURLEW_ENGINE_INDEX_UPDATE_DOCUMENT_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace curlew::index {

struct UpdatedDocument {
  std::string source;  // compact JSON; numbers as they were written
  // Whether the merge changed anything. 1 and 1.0 differ, 1.0 and 1.00 do not; the order of an
  // object's members does not matter, that of an array's values does.
  bool changed = false;
};

// Objects are merged member by member, everything else is replaced; members keep their place, new
// ones follow. Errors: `doc` is no JSON object (not_x_content_exception) or broken
// (parse_exception).
absl::StatusOr<UpdatedDocument> MergeDocument(std::string_view source, std::string_view doc);

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_UPDATE_DOCUMENT_H_
