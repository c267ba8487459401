// The frame of every file: a header that says what it is, a footer that proves it whole.
//
//   header: magic "CRLW" | varint length + format name | u32 version | varint length + owner
//   footer: u32 ~magic | u64 length of all that stands before the footer | u32 CRC-32C of the same
//
// The owner names what the file belongs to (a segment's name), so that files cannot be mixed up.
#ifndef CURLEW_ENGINE_STORE_CHECKED_FILE_H_
#define CURLEW_ENGINE_STORE_CHECKED_FILE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/store/directory.h"

namespace curlew::store {

struct FileFormat {
  std::string_view name;  // e.g. "postings"
  uint32_t version = 1;   // what a writer writes
  uint32_t oldest = 1;    // what a reader still reads
};

// Buffers small appends (64 KiB) and keeps the checksum. One thread at a time.
class CheckedWriter {
 public:
  static absl::StatusOr<std::unique_ptr<CheckedWriter>> Create(Directory& directory,
                                                               const std::string& name,
                                                               const FileFormat& format,
                                                               std::string_view owner);
  ~CheckedWriter();

  // Errors are kept: the first one is what Finish returns, so callers need not look at each append.
  void Append(std::string_view data);
  // Zero bytes up to the next multiple of `alignment` (a power of two), counted from the start of
  // the file, so that a reader may cast what it mapped.
  void Align(uint32_t alignment);
  // Position of the next byte, counted from the start of the file (header included).
  uint64_t position() const;
  // Writes the footer and closes; `sync` makes it durable too.
  absl::Status Finish(bool sync = false);

 private:
  CheckedWriter() = default;
  void Flush();

  std::unique_ptr<OutputFile> file_;
  std::string buffer_;
  uint64_t flushed_ = 0;
  uint32_t crc_ = 0;
  absl::Status status_;
};

// A file that has been opened, framed and (if asked) checksummed. Copyable; keeps the mapping
// alive.
class CheckedFile {
 public:
  // Checks header, version, owner and length always; the checksum of all bytes if `verify`. Errors:
  // Corruption naming the file and what is wrong; a newer version says so.
  static absl::StatusOr<CheckedFile> Open(Directory& directory, const std::string& name,
                                          const FileFormat& format, std::string_view owner,
                                          bool verify = true);

  CheckedFile() = default;
  // Header included, footer excluded: offsets from CheckedWriter::position() index into it.
  std::string_view bytes() const { return bytes_; }
  // Where the content starts (just behind the header).
  size_t body() const { return body_; }
  uint32_t version() const { return version_; }
  const std::string& name() const { return name_; }

 private:
  std::shared_ptr<const InputFile> file_;
  std::string_view bytes_;
  size_t body_ = 0;
  uint32_t version_ = 0;
  std::string name_;
};

}  // namespace curlew::store

#endif  // CURLEW_ENGINE_STORE_CHECKED_FILE_H_
