// Lines of a bulk file -> items of a BulkRequest: REST's action and source lines, or plain
// documents.
#ifndef CURLEW_CLI_BULK_FILE_H_
#define CURLEW_CLI_BULK_FILE_H_

#include <cstdint>
#include <istream>
#include <memory>
#include <string>

#include "cli/command.h"

namespace org::opensearch::protobufs {
class BulkRequestBody;
}

namespace curlew::cli {

enum class BulkFormat {
  kAuto,       // by the first line
  kActions,    // {"index":{"_id":"1"}} and, but for deletes, a line with the document
  kDocuments,  // a document a line
};

// A line that is no operation, and that those after it do not depend on: Next may be called again.
class BadLine : public CommandError {
 public:
  BadLine(uint64_t line, const std::string& why) : CommandError(kFailed, why), line_(line) {}
  uint64_t line() const { return line_; }

 private:
  uint64_t line_;
};

// One thread at a time. Throws BadLine, or, when nothing can be said of the lines that follow,
// CommandError naming the line.
class BulkFile {
 public:
  // `id_field`: for kDocuments, the top-level member whose value becomes the id ("" = generated).
  BulkFile(std::istream& in, BulkFormat format, std::string id_field);
  ~BulkFile();

  // Fills the next item; false at the end. Blank lines are skipped.
  bool Next(org::opensearch::protobufs::BulkRequestBody& item);
  uint64_t bytes() const;  // read so far
  uint64_t line() const;   // on which the last item began, counted from 1

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace curlew::cli

#endif  // CURLEW_CLI_BULK_FILE_H_
