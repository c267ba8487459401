// Prints, file by file, the share of calls that a server answers as stated: for areas that are not
// served whole yet.
//   case_share HOST:PORT DATA_FOLDER FILE...   (-v before the address: what differs, too)
#include <iostream>
#include <string>
#include <vector>

#include "test/cases/case_runner.h"

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const bool verbose = !words.empty() && words.front() == "-v";
  if (verbose) words.erase(words.begin());
  if (words.size() < 3) {
    std::cerr << "usage: case_share [-v] HOST:PORT DATA_FOLDER FILE...\n";
    return 2;
  }
  size_t passed = 0, calls = 0;
  for (size_t i = 2; i < words.size(); ++i) {
    const curlew::test::Json file = curlew::test::ReadCaseFile(words[i]);
    const auto outcome = curlew::test::RunCaseFile(words[0], file, words[1]);
    const size_t of_file = curlew::test::CountCalls(file);
    std::cout << words[i].substr(words[i].rfind('/') + 1) << ": " << outcome.passed() << "/"
              << of_file;
    if (!outcome.setup_error.empty())
      std::cout << "  (set-up: " << outcome.setup_error.substr(0, 200) << ")";
    std::cout << std::endl;
    if (verbose) {
      for (const auto& step : outcome.steps) {
        if (step.differences.empty()) continue;
        std::cout << "  " << step.name << "\n";
        for (size_t d = 0; d < std::min<size_t>(4, step.differences.size()); ++d) {
          std::cout << "      " << step.differences[d] << "\n";
        }
      }
    }
    passed += outcome.passed();
    calls += of_file;
  }
  std::cout << passed << " of " << calls << " calls as stated\n";
  return 0;
}
