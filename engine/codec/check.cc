#include "engine/codec/check.h"

#include <utility>

#include "engine/codec/columns/columns_checker.h"
#include "engine/codec/norms/norms_checker.h"
#include "engine/codec/points/points_checker.h"
#include "engine/codec/stored/stored_checker.h"
#include "engine/codec/terms/inverted_checker.h"

namespace curlew::codec {

std::vector<store::FileProblem> CheckSegmentFiles(store::Directory& directory,
                                                  const std::string& segment, DocId max_doc,
                                                  const std::string& stored_codec) {
  std::vector<store::FileProblem> problems;
  store::AppendProblems(problems, CheckInverted(directory, segment, max_doc));
  store::AppendProblems(problems, CheckNorms(directory, segment, max_doc));
  store::AppendProblems(problems, CheckColumns(directory, segment, max_doc));
  store::AppendProblems(problems, CheckPoints(directory, segment, max_doc));
  store::AppendProblems(problems, CheckStored(directory, segment, max_doc, stored_codec));
  return problems;
}

}  // namespace curlew::codec
