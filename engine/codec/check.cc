#include "engine/codec/check.h"

#include "engine/codec/columns/columns_checker.h"
#include "engine/codec/norms/norms_checker.h"
#include "engine/codec/points/points_checker.h"
#include "engine/codec/stored/stored_checker.h"
#include "engine/codec/terms/inverted_checker.h"

namespace curlew::codec {

std::vector<std::string> CheckSegmentFiles(store::Directory& directory, const std::string& segment,
                                           DocId max_doc, const std::string& stored_codec) {
  std::vector<std::string> problems;
  for (auto& found :
       {CheckInverted(directory, segment, max_doc), CheckNorms(directory, segment, max_doc),
        CheckColumns(directory, segment, max_doc), CheckPoints(directory, segment, max_doc),
        CheckStored(directory, segment, max_doc, stored_codec)}) {
    problems.insert(problems.end(), found.begin(), found.end());
  }
  return problems;
}

}  // namespace curlew::codec
