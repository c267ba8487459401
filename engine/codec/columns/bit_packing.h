// Numbers of equal width, one behind the other in a stream of bits: any of them is one unaligned
// load away. Columns and points are made of these.
#ifndef CURLEW_ENGINE_CODEC_COLUMNS_BIT_PACKING_H_
#define CURLEW_ENGINE_CODEC_COLUMNS_BIT_PACKING_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace curlew::codec {

// The bits to spend on numbers up to `max`: 0 to 57, or 64. (A number of 58 bits need not lie in
// the eight bytes that a load gets.)
inline uint32_t PackedWidth(uint64_t max) {
  const auto width = static_cast<uint32_t>(std::bit_width(max));
  return width > 57 ? 64 : width;
}
inline bool IsPackedWidth(uint64_t width) { return width <= 57 || width == 64; }

// Bytes that `count` numbers take, with what has to be readable behind the last. `count` is at most
// 2^40.
inline uint64_t PackedBytes(uint64_t count, uint32_t width) {
  if (count == 0 || width == 0) return 0;
  return (count * width + 7) / 8 + (width == 64 ? 0 : 7);
}

// Appends PackedBytes(values.size(), width) bytes; each value has at most `width` bits.
void AppendPacked(std::span<const uint64_t> values, uint32_t width, std::string& out);

// Reads what AppendPacked wrote: `data` is its start. The caller keeps indexes below the count.
class PackedReader {
 public:
  PackedReader() = default;
  PackedReader(const char* data, uint32_t width)
      : data_(data),
        width_(width),
        mask_(width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1) {}

  uint32_t width() const { return width_; }
  uint64_t Get(uint64_t index) const {
    if (width_ == 0) return 0;
    const uint64_t bit = index * width_;
    uint64_t word;
    std::memcpy(&word, data_ + bit / 8, sizeof(word));
    return (word >> (bit % 8)) & mask_;
  }
  // Numbers `first` to `first + count - 1`.
  void Read(uint64_t first, size_t count, uint64_t* out) const;
  // Sets bit i of `bits` when number `first + i`, less `low` (wrapping), is at most `span`, clears
  // the others; whole words are written.
  void Mark(uint64_t first, size_t count, uint64_t low, uint64_t span, uint64_t* bits) const;

 private:
  const char* data_ = nullptr;
  uint32_t width_ = 0;
  uint64_t mask_ = 0;
};

// As PackedReader::Mark, of numbers in memory. Uses the widest vectors that the processor has;
// MarkInSpanScalar gives the same.
void MarkInSpan(const uint64_t* values, size_t count, uint64_t low, uint64_t span, uint64_t* bits);
void MarkInSpanScalar(const uint64_t* values, size_t count, uint64_t low, uint64_t span,
                      uint64_t* bits);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_COLUMNS_BIT_PACKING_H_
