// Writes a segment's points, field by field.
#ifndef CURLEW_ENGINE_CODEC_POINTS_POINTS_WRITER_H_
#define CURLEW_ENGINE_CODEC_POINTS_POINTS_WRITER_H_

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

// File <segment>.points. One thread at a time; any order of fields, each field once. I/O errors and
// misuse come out of Finish.
class PointsWriter {
 public:
  static absl::StatusOr<std::unique_ptr<PointsWriter>> Create(store::Directory& directory,
                                                              const std::string& segment,
                                                              DocId max_doc);
  virtual ~PointsWriter() = default;

  virtual void StartNumbers(std::string_view field) = 0;
  // Ascending, equal values by document.
  virtual void AddNumber(int64_t value, DocId doc) = 0;
  virtual void FinishNumbers() = 0;

  // A whole field at once, in any order: point n is `packed[n * dimensions * bytes]`, of document
  // `docs[n]`. They are sorted in memory.
  virtual void AddBoxes(std::string_view field, uint32_t dimensions, uint32_t bytes,
                        std::span<const uint8_t> packed, std::span<const DocId> docs) = 0;

  virtual absl::Status Finish() = 0;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POINTS_POINTS_WRITER_H_
