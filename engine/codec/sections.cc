#include "engine/codec/sections.h"

namespace curlew::codec {

void AppendContents(store::CheckedWriter& writer, std::string_view contents) {
  std::string position;
  PutFixed64(position, writer.position());
  writer.Append(contents);
  writer.Append(position);
}

absl::StatusOr<ByteReader> OpenContents(const store::CheckedFile& file) {
  const std::string_view bytes = file.bytes();
  if (bytes.size() < file.body() + sizeof(uint64_t)) {
    return Corruption(file.name() + ": too short for a table of contents");
  }
  const size_t end = bytes.size() - sizeof(uint64_t);
  const uint64_t start = ByteReader(bytes.substr(end)).Fixed64();
  if (start < file.body() || start > end) {
    return Corruption(file.name() + ": the table of contents is outside of the file");
  }
  return ByteReader(bytes.substr(start, end - start));
}

absl::StatusOr<std::string_view> MappedBytes(const store::CheckedFile& file, uint64_t offset,
                                             uint64_t size) {
  const std::string_view bytes = file.bytes();
  if (offset < file.body() || offset > bytes.size() || size > bytes.size() - offset) {
    return Corruption(file.name() + ": a section is outside of the file");
  }
  return bytes.substr(offset, size);
}

}  // namespace curlew::codec
