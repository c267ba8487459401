#include "engine/codec/stored/record_table.h"

#include <algorithm>
#include <span>

#include "engine/codec/byte_width.h"
#include "engine/codec/sections.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

template <typename T>
void WriteArray(store::CheckedWriter& out, const std::vector<T>& values, std::string& contents) {
  const uint32_t width =
      values.empty() ? 0 : WidthFor(*std::max_element(values.begin(), values.end()));
  std::string bytes;
  AppendWidth(bytes, std::span<const T>(values), width);
  contents.push_back(static_cast<char>(width));
  PutVarint(contents, out.position());
  out.Append(bytes);
}

}  // namespace

void RecordTableWriter::Add(size_t id_size, size_t routing_size, uint64_t size) {
  starts_.push_back(raw_bytes_);
  id_sizes_.push_back(static_cast<uint32_t>(id_size));
  routing_sizes_.push_back(static_cast<uint32_t>(routing_size));
  raw_bytes_ += size;
}

void RecordTableWriter::Write(store::CheckedWriter& out, std::string& contents) const {
  PutVarint(contents, doc_count());
  PutVarint(contents, raw_bytes_);
  WriteArray(out, starts_, contents);
  WriteArray(out, id_sizes_, contents);
  WriteArray(out, routing_sizes_, contents);
}

absl::Status RecordTable::Load(const store::CheckedFile& file, ByteReader& in, DocId max_doc) {
  file_name_ = file.name();
  max_doc_ = max_doc;
  const uint64_t docs = in.Varint();
  raw_bytes_ = in.Varint();
  if (in.failed() || docs != max_doc) {
    return Corruption(fmt::format("{}: has {} documents instead of {}", file_name_, docs, max_doc));
  }
  for (Array* array : {&starts_, &id_sizes_, &routing_sizes_}) {
    const uint8_t width = in.Byte();
    const uint64_t offset = in.Varint();
    if (in.failed() || !ValidWidth(width)) {
      return Corruption(file_name_ + ": the table of documents is damaged");
    }
    CURLEW_ASSIGN_OR_RETURN(const std::string_view bytes,
                            MappedBytes(file, offset, static_cast<uint64_t>(max_doc) * width));
    *array = {bytes.data(), width};
  }
  return absl::OkStatus();
}

uint64_t RecordTable::BytesOf(std::span<const DocId> docs) const {
  uint64_t bytes = 0;
  // Documents that follow each other are as long as the way from the first to behind the last.
  for (size_t i = 0; i < docs.size();) {
    const size_t first = i;
    do {
      ++i;
    } while (i < docs.size() && docs[i] == docs[i - 1] + 1);
    const uint64_t start = Start(docs[first]);
    const uint64_t end = Start(docs[i - 1] + 1);
    if (start <= end) bytes += end - start;
  }
  return bytes;
}

absl::Status RecordTable::CopyTo(RecordTableWriter& out, DocId first, DocId end) const {
  const auto id_size = [&](DocId doc) { return LoadWidth(id_sizes_.data, id_sizes_.width, doc); };
  const auto routing_size = [&](DocId doc) {
    return LoadWidth(routing_sizes_.data, routing_sizes_.width, doc);
  };
  for (DocId doc = first; doc < end; ++doc) {
    CURLEW_RETURN_IF_ERROR(Check(doc));
    const uint64_t size = Of(doc).size();
    if (Start(doc) > Start(doc + 1) || id_size(doc) > size ||
        routing_size(doc) > size - id_size(doc)) {
      return TooShort(doc);
    }
  }
  for (DocId doc = first; doc < end; ++doc)
    out.Add(id_size(doc), routing_size(doc), Of(doc).size());
  return absl::OkStatus();
}

absl::Status RecordTable::NoSuch(DocId doc) const {
  return Corruption(fmt::format("{}: no document {}", file_name_, doc));
}

absl::Status RecordTable::TooShort(DocId doc) const {
  return Corruption(fmt::format("{}: document {} is shorter than its id", file_name_, doc));
}

}  // namespace curlew::codec
