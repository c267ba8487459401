#include "engine/codec/field_table.h"

#include <set>

#include "engine/codec/sections.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {

void FieldTableWriter::Write(store::CheckedWriter& out, DocId max_doc) const {
  std::string contents;
  PutVarint(contents, max_doc);
  PutVarint(contents, count_);
  contents += entries_;
  AppendContents(out, contents);
}

absl::Status ReadFieldTable(
    const store::CheckedFile& file, DocId max_doc, std::string_view what,
    const std::function<absl::Status(const std::string& field, ByteReader& in)>& read) {
  CURLEW_ASSIGN_OR_RETURN(ByteReader in, OpenContents(file));
  const uint64_t docs = in.Varint();
  if (docs != max_doc) {
    return Corruption(
        fmt::format("{}: has {} documents instead of {}", file.name(), docs, max_doc));
  }
  std::set<std::string, std::less<>> names;
  const uint64_t count = in.Varint();
  for (uint64_t i = 0; i < count && !in.failed(); ++i) {
    const std::string name(in.String());
    if (in.failed()) break;
    if (!names.insert(name).second) {
      return Corruption(fmt::format("{}: {} [{}] twice", file.name(), what, Clip(name)));
    }
    CURLEW_RETURN_IF_ERROR(read(name, in));
  }
  if (in.failed() || !in.AtEnd()) {
    return Corruption(file.name() + ": the table of contents is damaged");
  }
  return absl::OkStatus();
}

}  // namespace curlew::codec
