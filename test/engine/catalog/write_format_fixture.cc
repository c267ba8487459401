// Writes a fixture of the formats of this build: write_format_fixture FOLDER, where FOLDER is new
// (test/data/formats/<the next number>). See CONTRIBUTING.md for when.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "engine/catalog/catalog.h"
#include "engine/store/real_directory.h"
#include "engine/util/error.h"
#include "test/engine/catalog/format_world.h"
#include "test/support/temp_folder.h"

namespace curlew::catalog {
namespace {

namespace fs = std::filesystem;

// Logs are preallocated with zeros, which say nothing: without them the fixture is a tenth. The
// last record may end with some.
constexpr uint64_t kKeptZeros = 64;

void CutZeros(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".log") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    const uint64_t end = text.str().find_last_not_of('\0') + 1 + kKeptZeros;
    fs::resize_file(entry.path(), std::min<uint64_t>(text.str().size(), end));
  }
}

absl::Status Write(const fs::path& folder) {
  const fs::path data = folder / "data";
  fs::create_directories(folder);
  CURLEW_ASSIGN_OR_RETURN(const KnownDocuments known, WriteWorld(data.string()));
  CutZeros(data);
  std::ofstream(folder / kDocumentsFile) << DocumentsText(known);

  // The answers are those of a copy: opening the fixture itself would take in its log.
  const test::TempFolder copy;
  fs::copy(data, copy.path(), fs::copy_options::recursive);
  CURLEW_ASSIGN_OR_RETURN(auto directory, store::OpenRealDirectory(copy.path()));
  ThreadPool pool("background", 2, 1000);
  CURLEW_ASSIGN_OR_RETURN(const auto catalog, Catalog::Open(std::move(directory), {}, &pool));
  CURLEW_ASSIGN_OR_RETURN(const auto indexes, catalog->Resolve({}, {}));
  Answers answers;
  for (const auto& index : indexes) {
    for (const std::string& name : SearchNames()) {
      CURLEW_ASSIGN_OR_RETURN(answers[std::pair(index->name(), name)], Search(*index, name));
    }
  }
  std::ofstream(folder / kSearchesFile) << AnswersText(answers);
  return catalog->Close();
}

}  // namespace
}  // namespace curlew::catalog

int main(int argc, char** argv) {
  if (argc != 2 || std::filesystem::exists(argv[1])) {
    std::cerr << "usage: write_format_fixture FOLDER (which is made)\n";
    return 2;
  }
  const absl::Status status = curlew::catalog::Write(argv[1]);
  if (!status.ok()) std::cerr << curlew::DescribeError(status).reason << "\n";
  return status.ok() ? 0 : 1;
}
