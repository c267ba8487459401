// Small unsigned numbers in a fixed number of bits each, one behind the other from the lowest bit
// up: any of them can be read at random, and runs of them are unpacked by vector instructions.
//
// Unpacking takes one loop for all widths: the bytes of each number are brought into a lane by a
// shuffle, its first bit to the lane's end by a shift, both from a table by width (Lemire and
// Boytsov, "Decoding billions of integers per second through vectorization", 2015, discuss the
// layouts; the horizontal one is used here because it can be read at random).
#ifndef CURLEW_ENGINE_CODEC_PACK_BIT_PACK_H_
#define CURLEW_ENGINE_CODEC_PACK_BIT_PACK_H_

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace curlew::codec {

// Readers may look at that many bytes behind the last packed one: files that hold packed numbers
// end in so many bytes of anything.
inline constexpr uint32_t kPackSlack = 64;
// Unpacking may write that many numbers behind the last one.
inline constexpr uint32_t kUnpackSlack = 16;

inline uint32_t BitsFor(uint32_t max) { return static_cast<uint32_t>(std::bit_width(max)); }
inline uint64_t BitPackedBytes(uint64_t count, uint32_t width) { return (count * width + 7) / 8; }

// Appends `values`, of `width` bits (at most 32) each; higher bits are dropped.
void AppendBitPacked(std::string& out, std::span<const uint32_t> values, uint32_t width);

// Number `i` of those packed at `in`.
inline uint32_t PackedAt(const char* in, uint32_t width, uint64_t i) {
  uint64_t word;
  std::memcpy(&word, in + (i * width >> 3), sizeof(word));
  return static_cast<uint32_t>((word >> (i * width & 7)) & ((uint64_t{1} << width) - 1));
}

// The loops, by instruction set. `width` is at most 32; `out` has kUnpackSlack of room behind
// `count`.
struct PackKernels {
  const char* name;
  void (*unpack)(const char* in, uint32_t width, uint32_t count, uint32_t* out);
  // values[i] = base + the sum of values[0] to values[i] + i, modulo 2^32: documents from gaps less
  // one.
  void (*sum_gaps)(uint32_t* values, uint32_t count, uint32_t base);
};

// The best that this processor has.
const PackKernels& Kernels();
// All that it has, the plain one first: for tests.
std::span<const PackKernels* const> AllKernels();

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_PACK_BIT_PACK_H_
