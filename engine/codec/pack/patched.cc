#include "engine/codec/pack/patched.h"

#include <algorithm>
#include <array>

namespace curlew::codec {
namespace {

// Fewer are read one by one.
constexpr uint32_t kFew = 8;

// The width that gives the fewest bytes.
uint32_t BestWidth(std::span<const uint32_t> values) {
  std::array<uint32_t, 33> of_bits{};  // how many values have exactly so many bits
  uint32_t most = 0;
  for (const uint32_t value : values) {
    const uint32_t bits = BitsFor(value);
    ++of_bits[bits];
    most = std::max(most, bits);
  }
  uint32_t best = most;
  uint64_t best_bytes = BitPackedBytes(values.size(), most);
  uint64_t exceptions = 0;
  for (uint32_t width = most; width > 0 && most - (width - 1) <= 8;) {
    exceptions += of_bits[width--];
    const uint64_t bytes = BitPackedBytes(values.size(), width) + 2 * exceptions;
    if (bytes < best_bytes) {
      best = width;
      best_bytes = bytes;
    }
  }
  return best;
}

uint8_t ByteAt(const char* p, uint32_t i) { return static_cast<uint8_t>(p[i]); }

// `high` above `width` bits. A damaged width may be 32.
uint32_t Raise(uint8_t high, uint32_t width) {
  return static_cast<uint32_t>(static_cast<uint64_t>(high) << width);
}

}  // namespace

void AppendPatched(std::string& out, std::span<const uint32_t> values) {
  const uint32_t width = BestWidth(values);
  std::string places;
  std::string highs;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto high = static_cast<uint32_t>(static_cast<uint64_t>(values[i]) >> width);
    if (high == 0) continue;
    places.push_back(static_cast<char>(i));
    highs.push_back(static_cast<char>(high));
  }
  out.push_back(static_cast<char>(width));
  out.push_back(static_cast<char>(places.size()));
  AppendBitPacked(out, values, width);
  out += places;
  out += highs;
}

uint32_t Patched::HighBits(uint32_t i) const {
  const char* const at = places();
  for (uint32_t e = 0; e < exceptions_ && ByteAt(at, e) <= i; ++e) {
    if (ByteAt(at, e) == i) return Raise(ByteAt(at, exceptions_ + e), width_);
  }
  return 0;
}

void Patched::Patch(uint32_t* out) const {
  const char* const at = places();
  for (uint32_t e = 0; e < exceptions_; ++e) {
    const uint32_t place = ByteAt(at, e);
    if (place < count_) out[place] |= Raise(ByteAt(at, exceptions_ + e), width_);
  }
}

void Patched::UnpackRange(uint32_t first, uint32_t count, uint32_t* out) const {
  if (count < kFew) {
    for (uint32_t i = 0; i < count; ++i) out[i] = PackedAt(data_, width_, first + i);
  } else {
    // Every eighth number starts with a byte.
    uint32_t unpacked[kMostPatched + 1 + kUnpackSlack];
    const uint32_t before = first % 8;
    Kernels().unpack(data_ + first / 8 * width_, width_, before + count, unpacked);
    std::copy_n(unpacked + before, count, out);
  }
  if (exceptions_ == 0) return;
  const char* const at = places();
  for (uint32_t e = 0; e < exceptions_; ++e) {
    const uint32_t place = ByteAt(at, e);
    if (place >= first + count) break;
    if (place >= first) out[place - first] |= Raise(ByteAt(at, exceptions_ + e), width_);
  }
}

}  // namespace curlew::codec
