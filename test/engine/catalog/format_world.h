// Indexes whose content is known, for fixtures of the formats: a program writes them with today's
// formats (write_format_fixture), and a test reads those that earlier ones have written.
#ifndef CURLEW_TEST_ENGINE_CATALOG_FORMAT_WORLD_H_
#define CURLEW_TEST_ENGINE_CATALOG_FORMAT_WORLD_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/catalog/index.h"

namespace curlew::catalog {

// In a fixture's folder, beside "data", the data folder itself.
inline constexpr char kDocumentsFile[] = "documents.tsv";
inline constexpr char kSearchesFile[] = "searches.tsv";

// A live document as its write was acknowledged.
struct KnownDocument {
  std::string routing;
  int64_t version = 0;
  int64_t seq_no = 0;
  std::string source;
  bool operator==(const KnownDocument&) const = default;
};
// By index and id.
using KnownDocuments = std::map<std::pair<std::string, std::string>, KnownDocument>;

// Writes all indexes to the folder `data`, which is made, as a server would that is killed then:
// some of it is in the log alone. Tells of them.
absl::StatusOr<KnownDocuments> WriteWorld(const std::string& data);

// What a search over an index's shards gives.
struct Answer {
  int64_t total = 0;
  std::vector<std::pair<std::string, double>> hits;  // id, score (0 when it sorts)
};
// Names of the searches, each good for any of the indexes. A fixture keeps the answers to those
// that there were when it was written; none is ever taken away.
const std::vector<std::string>& SearchNames();
absl::StatusOr<Answer> Search(const Index& index, std::string_view name);

// All documents that can be seen.
absl::StatusOr<KnownDocuments> ReadWorld(const Index& index);

// The fixture's files: a document a line, and an answer a line. Sources have neither tabs nor line
// ends.
std::string DocumentsText(const KnownDocuments& documents);
KnownDocuments ParseDocuments(const std::string& text);
using Answers = std::map<std::pair<std::string, std::string>, Answer>;  // by index and search
std::string AnswersText(const Answers& answers);
Answers ParseAnswers(const std::string& text);

}  // namespace curlew::catalog

#endif  // CURLEW_TEST_ENGINE_CATALOG_FORMAT_WORLD_H_
