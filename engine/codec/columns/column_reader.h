// Opens a segment's doc values.
#ifndef CURLEW_ENGINE_CODEC_COLUMNS_COLUMN_READER_H_
#define CURLEW_ENGINE_CODEC_COLUMNS_COLUMN_READER_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/codec/columns/column.h"
#include "engine/store/directory.h"

namespace curlew::codec {

// Immutable, thread-safe. `verify`: compute the checksum of the whole file first; without it only
// the structure is checked, and a document whose entry is damaged has no values. Null = no document
// has a value in that column (or it is of the other kind).
class ColumnReader {
 public:
  static absl::StatusOr<std::unique_ptr<ColumnReader>> Open(store::Directory& directory,
                                                            const std::string& segment,
                                                            DocId max_doc, bool verify = true);
  virtual ~ColumnReader() = default;
  virtual const NumericColumn* Numeric(std::string_view field) const = 0;
  virtual const OrdinalColumn* Ordinals(std::string_view field) const = 0;
  virtual std::vector<std::string> numeric_fields() const = 0;
  virtual std::vector<std::string> ordinal_fields() const = 0;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_COLUMNS_COLUMN_READER_H_
