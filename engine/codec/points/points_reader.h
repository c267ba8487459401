// Opens a segment's points.
#ifndef CURLEW_ENGINE_CODEC_POINTS_POINTS_READER_H_
#define CURLEW_ENGINE_CODEC_POINTS_POINTS_READER_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/codec/points/points.h"
#include "engine/store/directory.h"

namespace curlew::codec {

// Immutable, thread-safe. `verify`: compute the checksum of the whole file first; without it only
// the structure is checked, and what is damaged may give wrong documents of the segment. Null = no
// document has a point in that field (or it is of the other kind).
class PointsReader {
 public:
  static absl::StatusOr<std::unique_ptr<PointsReader>> Open(store::Directory& directory,
                                                            const std::string& segment,
                                                            DocId max_doc, bool verify = true);
  virtual ~PointsReader() = default;
  virtual const NumberPoints* Numbers(std::string_view field) const = 0;
  virtual const BoxPoints* Boxes(std::string_view field) const = 0;
  virtual std::vector<std::string> number_fields() const = 0;
  virtual std::vector<std::string> box_fields() const = 0;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POINTS_POINTS_READER_H_
