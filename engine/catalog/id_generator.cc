#include <array>
#include <atomic>
#include <chrono>
#include <random>

#include "engine/catalog/bulk.h"

namespace curlew::catalog {
namespace {

// URL-safe, and in ASCII order, so that later ids sort behind earlier ones.
constexpr std::string_view kAlphabet =
    "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";

// Six random bytes for each start of the process: two processes, or two runs, never agree.
uint64_t ProcessPart() {
  static const uint64_t part = [] {
    std::random_device device;
    return ((static_cast<uint64_t>(device()) << 32) | device()) & 0xffffffffffff;
  }();
  return part;
}

}  // namespace

// 15 bytes: milliseconds (6), process (6), sequence (3). The sequence wraps after 16.7 million ids,
// in which time the milliseconds have moved on.
std::string GenerateId() {
  static std::atomic<uint32_t> sequence{std::random_device{}()};
  const auto millis = static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                                std::chrono::system_clock::now().time_since_epoch())
                                                .count());
  const uint64_t process = ProcessPart();
  const uint32_t number = sequence.fetch_add(1, std::memory_order_relaxed);
  std::array<uint8_t, 15> bytes;
  for (int i = 0; i < 6; ++i) bytes[i] = static_cast<uint8_t>(millis >> (40 - 8 * i));
  for (int i = 0; i < 3; ++i) bytes[6 + i] = static_cast<uint8_t>(number >> (16 - 8 * i));
  for (int i = 0; i < 6; ++i) bytes[9 + i] = static_cast<uint8_t>(process >> (40 - 8 * i));
  std::string id(20, '\0');
  for (size_t group = 0; group < 5; ++group) {
    const uint32_t bits =
        (bytes[group * 3] << 16) | (bytes[group * 3 + 1] << 8) | bytes[group * 3 + 2];
    for (size_t i = 0; i < 4; ++i) id[group * 4 + i] = kAlphabet[(bits >> (18 - 6 * i)) & 63];
  }
  return id;
}

}  // namespace curlew::catalog
