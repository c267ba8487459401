// How the files of a segment are put together: sections of data, then a table of contents that says
// where they are, then the table's own position as the last eight bytes before the footer.
#ifndef CURLEW_ENGINE_CODEC_SECTIONS_H_
#define CURLEW_ENGINE_CODEC_SECTIONS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"
#include "engine/util/error.h"

namespace curlew::codec {

// Writes an array as it lies in memory, aligned for its type; returns where it starts.
template <typename T>
uint64_t AppendArray(store::CheckedWriter& writer, std::span<const T> values) {
  writer.Align(alignof(T));
  const uint64_t at = writer.position();
  writer.Append({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  return at;
}

// Writes the table of contents and its position: the last thing in a file.
void AppendContents(store::CheckedWriter& writer, std::string_view contents);

// A reader over the table of contents. Error: Corruption naming the file.
absl::StatusOr<ByteReader> OpenContents(const store::CheckedFile& file);

// `size` bytes at `offset`. Error: Corruption when they are not all inside the file.
absl::StatusOr<std::string_view> MappedBytes(const store::CheckedFile& file, uint64_t offset,
                                             uint64_t size);

// `count` values at `offset`, used where they lie. Error: Corruption when they are outside of the
// file or not aligned.
template <typename T>
absl::StatusOr<std::span<const T>> MappedArray(const store::CheckedFile& file, uint64_t offset,
                                               uint64_t count) {
  if (count > file.bytes().size() / sizeof(T)) {
    return Corruption(file.name() + ": an array is longer than the file");
  }
  CURLEW_ASSIGN_OR_RETURN(const std::string_view bytes,
                          MappedBytes(file, offset, count * sizeof(T)));
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignof(T) != 0) {
    return Corruption(file.name() + ": an array is not aligned");
  }
  return std::span<const T>(reinterpret_cast<const T*>(bytes.data()), count);
}

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_SECTIONS_H_
