// The file system as the engine sees it: flat folders of files that are written once, mapped for
// reading, and never changed; plus preallocated log files. Three models stand behind it: the real
// one, one in memory, and one that fails or stops at the N-th operation.
#ifndef CURLEW_ENGINE_STORE_DIRECTORY_H_
#define CURLEW_ENGINE_STORE_DIRECTORY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace curlew::store {

// A file being written, front to back. One thread at a time. Dropping it without Close leaves a
// file of unspecified length.
class OutputFile {
 public:
  virtual ~OutputFile() = default;
  virtual absl::Status Append(std::string_view data) = 0;
  virtual uint64_t size() const = 0;  // bytes appended so far
  virtual absl::Status Sync() = 0;    // on stable storage when it returns OK
  virtual absl::Status Close() = 0;   // flushes to the system; does not sync
};

// A whole file, readable at random, immutable. Thread-safe; the view lives as long as the object,
// also after the file has been deleted.
class InputFile {
 public:
  virtual ~InputFile() = default;
  virtual std::string_view view() const = 0;
};

// A log file: bytes are written at offsets of the caller's choice and synced in groups. One thread
// at a time. Space is preallocated and zeroed, so that a sync need not write metadata.
class LogFile {
 public:
  virtual ~LogFile() = default;
  // Grows the file when `offset + data` passes its end. Loops until every byte is written.
  virtual absl::Status WriteAt(uint64_t offset, std::string_view data) = 0;
  // Extends the file to `bytes` with zeros and makes them durable: costs a write and a sync now so
  // that no later sync pays for growth. Nothing happens when that much is there already.
  virtual absl::Status Reserve(uint64_t bytes) = 0;
  virtual absl::Status DataSync() = 0;
  virtual uint64_t allocated() const = 0;
  virtual absl::Status Close() = 0;
};

// Thread-safe. Names have no slash. Errors name the path (IoError; kNotFound for a missing file;
// kResourceExhausted when the disk is full; of a sync SyncError, see shortage.h).
class Directory {
 public:
  virtual ~Directory() = default;

  // Creates `name` anew; readers of a file that was there keep their view of it.
  virtual absl::StatusOr<std::unique_ptr<OutputFile>> Create(const std::string& name) = 0;
  virtual absl::StatusOr<std::shared_ptr<const InputFile>> Open(const std::string& name) = 0;
  // Creates `name` with `preallocate` zero bytes, or opens what is there (then nothing changes).
  virtual absl::StatusOr<std::unique_ptr<LogFile>> OpenLog(const std::string& name,
                                                           uint64_t preallocate) = 0;
  // Atomically; replaces `to`. Durable only after SyncDirectory.
  virtual absl::Status Rename(const std::string& from, const std::string& to) = 0;
  virtual absl::Status Delete(const std::string& name) = 0;
  virtual absl::StatusOr<bool> Exists(const std::string& name) = 0;
  virtual absl::StatusOr<uint64_t> Size(const std::string& name) = 0;
  // Plain files only, sorted by name.
  virtual absl::StatusOr<std::vector<std::string>> List() = 0;
  // fsync of a closed file by name (a commit syncs files that were written without).
  virtual absl::Status SyncFile(const std::string& name) = 0;
  // Makes creations, renames and deletions durable.
  virtual absl::Status SyncDirectory() = 0;

  // A folder below this one, created (durably) when missing.
  virtual absl::StatusOr<std::shared_ptr<Directory>> Sub(const std::string& name) = 0;
  virtual absl::StatusOr<std::vector<std::string>> ListSubs() = 0;
  // Removes a folder below with all that is in it. Missing is fine.
  virtual absl::Status DeleteSub(const std::string& name) = 0;

  // For messages.
  virtual std::string path() const = 0;
};

// Writes `content` to `name` so that after a crash either the old or the new content is there:
// temporary file (`name` + ".tmp"), sync, rename, directory sync.
absl::Status WriteAtomically(Directory& directory, const std::string& name,
                             std::string_view content);

// IllegalArgument unless `name` can name a file or folder: 1 to 255 bytes, no slash, no NUL,
// neither
// "." nor "..".
absl::Status CheckFileName(std::string_view name);

}  // namespace curlew::store

#endif  // CURLEW_ENGINE_STORE_DIRECTORY_H_
