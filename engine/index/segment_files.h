// Which files belong to a segment, and when they may go.
#ifndef CURLEW_ENGINE_INDEX_SEGMENT_FILES_H_
#define CURLEW_ENGINE_INDEX_SEGMENT_FILES_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/index/segment_reader.h"
#include "engine/store/directory.h"

namespace curlew::index {

// "_" and the number in base 36, as Lucene names segments.
std::string SegmentName(uint64_t number);
// The number of the segment that a file (its postings, its live docs, ...) belongs to; nullopt for
// files of other kinds.
std::optional<uint64_t> SegmentNumberOfFile(std::string_view file);
// The segment's own files (live docs are not among them: they change, the segment does not).
absl::StatusOr<std::vector<std::string>> FilesOfSegment(store::Directory& directory,
                                                        const std::string& segment);
absl::StatusOr<uint64_t> BytesOfSegment(store::Directory& directory, const std::string& segment);

// Deletes a segment's files once no reader has it open and no commit point names it. Thread-safe;
// outlives the shard as long as a reader does.
class SegmentFiles : public std::enable_shared_from_this<SegmentFiles> {
 public:
  explicit SegmentFiles(std::shared_ptr<store::Directory> directory)
      : directory_(std::move(directory)) {}

  // Opens the segment; the reader that comes back reports when it goes.
  absl::StatusOr<std::shared_ptr<const SegmentReader>> Open(const SegmentInfo& info);
  // A commit point that names these segments is about to be written: from now on they stay, besides
  // those of the commit point before it, as it cannot be told which of the two a crash would leave.
  void AddCommitted(const std::set<std::string>& segments);
  // The newest commit point, which is durable, names these segments and no others.
  void SetCommitted(std::set<std::string> segments);
  // Stops deleting: the shard is closed and somebody else may own the folder from now on.
  void Detach();
  // Segments that are open, and the bytes of their files.
  struct Mapped {
    uint64_t segments = 0;
    uint64_t bytes = 0;
  };
  Mapped mapped();
  // Deletes the files of a segment that was not finished. Errors do not matter: the next start
  // deletes them.
  void Discard(const std::string& segment);

 private:
  void ReaderGone(const std::string& segment);
  void DeleteFiles(const std::string& segment);

  const std::shared_ptr<store::Directory> directory_;
  std::mutex mutex_;
  std::map<std::string, uint64_t> open_;  // with their bytes
  std::set<std::string> committed_;
  bool detached_ = false;
};

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_SEGMENT_FILES_H_
