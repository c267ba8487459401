// Up to 255 small numbers, most of them in few bits and the odd large one apart ("patched frames of
// reference": Zukowski, Heman, Nes and Boncz, "Super-Scalar RAM-CPU Cache Compression", 2006), in a
// form where any one can be read at random.
//
//   u8 width | u8 exceptions | numbers, low `width` bits each | exceptions x u8 place
//                                                             | exceptions x u8 high bits
//
// The width is the one that gives the fewest bytes; what lies above it in a number is its high
// bits, which fit in a byte.
#ifndef CURLEW_ENGINE_CODEC_PACK_PATCHED_H_
#define CURLEW_ENGINE_CODEC_PACK_PATCHED_H_

#include <cstdint>
#include <span>
#include <string>

#include "engine/codec/pack/bit_pack.h"

namespace curlew::codec {

inline constexpr uint32_t kMostPatched = 255;

// At most kMostPatched values.
void AppendPatched(std::string& out, std::span<const uint32_t> values);

// Numbers that have been written by AppendPatched, where they lie.
class Patched {
 public:
  Patched() = default;
  // `in` must have two bytes. Whether all of it lies before some end is for the caller to ask:
  // nothing else is looked at until then.
  Patched(const char* in, uint32_t count)
      : data_(in + 2),
        count_(count),
        width_(static_cast<uint8_t>(in[0])),
        exceptions_(static_cast<uint8_t>(in[1])) {}

  bool sound() const { return width_ <= 32 && exceptions_ <= count_; }
  // Of all of it.
  uint64_t bytes() const { return 2 + BitPackedBytes(count_, width_) + 2ull * exceptions_; }
  const char* end() const { return data_ + BitPackedBytes(count_, width_) + 2ull * exceptions_; }
  uint32_t count() const { return count_; }
  // No number has more bits.
  uint32_t most_bits() const { return width_ + (exceptions_ > 0 ? 8 : 0); }
  bool all_zero() const { return width_ == 0 && exceptions_ == 0; }

  uint32_t At(uint32_t i) const {
    uint32_t value = PackedAt(data_, width_, i);
    if (exceptions_ > 0) value |= HighBits(i);
    return value;
  }
  // `out` has kUnpackSlack of room behind count().
  void Unpack(uint32_t* out) const {
    Kernels().unpack(data_, width_, count_, out);
    if (exceptions_ > 0) Patch(out);
  }
  // Numbers from `first` on, `count` of them.
  void UnpackRange(uint32_t first, uint32_t count, uint32_t* out) const;

 private:
  uint32_t HighBits(uint32_t i) const;
  void Patch(uint32_t* out) const;

  const char* places() const { return data_ + BitPackedBytes(count_, width_); }

  const char* data_ = nullptr;
  uint32_t count_ = 0;
  uint32_t width_ = 0;
  uint32_t exceptions_ = 0;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_PACK_PATCHED_H_
