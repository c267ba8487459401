// Runs a case file against a live server: creates its indexes, loads its documents, makes its
// calls, and compares the answers with those that the file states.
//
// The form of a file: {"area", "stateful", "ties"?, "indices": {name: create-index body, or null =
// make sure it is absent}, "docs": {index: [[id, document], ...]}, "docs_files": [{"index", "path",
// "limit"}], "steps": [{"name", "rpc", "request", "response" | "responses" | "code" | "any",
// "save", "ignore", "bytes"} | {"refresh": index}]}.
#ifndef CURLEW_TEST_CASES_CASE_RUNNER_H_
#define CURLEW_TEST_CASES_CASE_RUNNER_H_

#include <string>
#include <vector>

#include "test/cases/case_json.h"

namespace curlew::test {

struct StepOutcome {
  std::string name;
  std::vector<std::string> differences;  // empty = as stated
};

struct CaseOutcome {
  std::vector<StepOutcome> steps;
  std::string setup_error;  // not empty: no step was run

  size_t passed() const;
};

// `address`: host:port. `data`: the folder that docs_files paths are relative to ("" = files that
// name documents outside fail in their set-up). Indexes of the file are deleted afterwards.
CaseOutcome RunCaseFile(const std::string& address, const Json& file, const std::string& data);

Json ReadCaseFile(const std::string& path);
// How many calls the file makes.
size_t CountCalls(const Json& file);

}  // namespace curlew::test

#endif  // CURLEW_TEST_CASES_CASE_RUNNER_H_
