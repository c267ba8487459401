// The table of contents of a file with something for each of several fields: how many documents the
// segment has, how many fields, then each field's name and what its structure says of itself.
#ifndef CURLEW_ENGINE_CODEC_FIELD_TABLE_H_
#define CURLEW_ENGINE_CODEC_FIELD_TABLE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "engine/codec/types.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"

namespace curlew::codec {

// Collects the table while the structures are written.
class FieldTableWriter {
 public:
  // Begins the entry of a field; what its structure has to say goes behind.
  std::string& Add(std::string_view field) {
    ++count_;
    PutString(entries_, field);
    return entries_;
  }
  // The table, and its position: the last thing in a file.
  void Write(store::CheckedWriter& out, DocId max_doc) const;

 private:
  std::string entries_;
  uint64_t count_ = 0;
};

// Calls `read` for each field; it takes what belongs to the field, and no more. Corruption when the
// table is not whole, is of a segment of another size, or has a field twice; `what` names the
// entries ("column"). Errors of `read` come back as they are.
absl::Status ReadFieldTable(
    const store::CheckedFile& file, DocId max_doc, std::string_view what,
    const std::function<absl::Status(const std::string& field, ByteReader& in)>& read);

// The structures of one kind.
template <typename Structure>
using ByField = std::map<std::string, Structure, std::less<>>;

// Null when the field has none.
template <typename Structure>
const Structure* FindField(const ByField<Structure>& fields, std::string_view field) {
  const auto it = fields.find(field);
  return it == fields.end() ? nullptr : &it->second;
}

template <typename Structure>
std::vector<std::string> FieldNames(const ByField<Structure>& fields) {
  std::vector<std::string> names;
  for (const auto& [name, structure] : fields) names.push_back(name);
  return names;
}

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_FIELD_TABLE_H_
