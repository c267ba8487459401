// Writes a segment's doc values, column by column.
#ifndef CURLEW_ENGINE_CODEC_COLUMNS_COLUMN_WRITER_H_
#define CURLEW_ENGINE_CODEC_COLUMNS_COLUMN_WRITER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/codec/types.h"
#include "engine/store/directory.h"

namespace curlew::codec {

// File <segment>.columns. One thread at a time; any order of fields, each field once; documents
// ascending within a column. I/O errors come out of Finish.
class ColumnWriter {
 public:
  static absl::StatusOr<std::unique_ptr<ColumnWriter>> Create(store::Directory& directory,
                                                              const std::string& segment,
                                                              DocId max_doc);
  virtual ~ColumnWriter() = default;

  virtual void StartNumeric(std::string_view field) = 0;
  virtual void AddNumbers(DocId doc, std::span<const int64_t> sorted_values) = 0;
  virtual void FinishNumeric() = 0;

  virtual void StartOrdinals(std::string_view field) = 0;
  // All distinct values first, ascending: the n-th gets ordinal n.
  virtual void AddValue(std::string_view value) = 0;
  virtual void AddOrdinals(DocId doc, std::span<const uint32_t> sorted_distinct_ordinals) = 0;
  virtual void FinishOrdinals() = 0;

  virtual absl::Status Finish() = 0;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_COLUMNS_COLUMN_WRITER_H_
