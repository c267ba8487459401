// Points of numbers, read where the file is mapped.
#ifndef CURLEW_ENGINE_CODEC_POINTS_MAPPED_NUMBERS_H_
#define CURLEW_ENGINE_CODEC_POINTS_MAPPED_NUMBERS_H_

#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "engine/codec/points/points.h"
#include "engine/codec/points/points_format.h"
#include "engine/util/bytes.h"

namespace curlew::codec {

// Valid as long as the file is mapped. Immutable.
class MappedNumbers final : public NumberPoints {
 public:
  absl::Status Load(const store::CheckedFile& file, ByteReader& in, DocId max_doc);

  uint64_t value_count() const override { return value_count_; }
  uint32_t doc_count() const override { return doc_count_; }
  uint64_t Below(int64_t value) const override;
  uint64_t UpTo(int64_t value) const override;
  uint32_t Read(uint64_t first, uint64_t last, DocId* docs, int64_t* values) const override;

 private:
  uint32_t CountOf(uint64_t leaf) const;
  // How many values are `before(v, value)`, which they are up to some place.
  template <typename Before>
  uint64_t Search(int64_t value, Before before) const;

  DocId max_doc_ = 0;
  uint64_t value_count_ = 0;
  uint32_t doc_count_ = 0;
  const char* file_ = nullptr;  // what positions count from
  std::span<const NumberLeaf> leaves_;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POINTS_MAPPED_NUMBERS_H_
