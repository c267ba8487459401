// Every case file below test/cases, against a server of its own over a real channel.
// CURLEW_CASES_SERVER (host:port) names another server to run them on.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "test/cases/case_runner.h"
#include "test/support/server_process.h"
#include "test/support/temp_dir.h"

namespace curlew::test {
namespace {

std::vector<std::string> FilesBelow(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void RunFolder(const std::string& folder, size_t least_calls) {
  TempDir data;
  std::unique_ptr<ServerProcess> own;
  std::string address;
  if (const char* other = std::getenv("CURLEW_CASES_SERVER")) {
    address = other;
  } else {
    own = std::make_unique<ServerProcess>(data.path());
    address = own->address();
  }
  size_t calls = 0;
  for (const std::string& path :
       FilesBelow(std::string(CURLEW_SOURCE_DIR) + "/test/cases/" + folder)) {
    const Json file = ReadCaseFile(path);
    const CaseOutcome outcome = RunCaseFile(address, file, "");
    INFO(path);
    CHECK(outcome.setup_error == "");
    for (const StepOutcome& step : outcome.steps) {
      INFO(step.name);
      CHECK(step.differences == std::vector<std::string>());
    }
    calls += outcome.steps.size();
  }
  CHECK(calls >= least_calls);
}

TEST_CASE("calls recorded from OpenSearch are answered alike") { RunFolder("oracle", 1529); }

TEST_CASE("calls with Curlew's own answers") { RunFolder("own", 184); }

}  // namespace
}  // namespace curlew::test
