// CRC-32C (Castagnoli), the checksum of every file and log record.
#ifndef CURLEW_ENGINE_UTIL_CRC32C_H_
#define CURLEW_ENGINE_UTIL_CRC32C_H_

#include <cstdint>
#include <string_view>

namespace curlew {

// The checksum of `data` appended to bytes whose checksum is `crc` (0 for none). Uses the SSE4.2
// instruction where the processor has it; both ways give the same number (RFC 3720, B.4).
uint32_t Crc32c(std::string_view data, uint32_t crc = 0);

namespace internal {

// The way without the instruction; for tests.
uint32_t PortableCrc32c(std::string_view data, uint32_t crc);

}  // namespace internal

}  // namespace curlew

#endif  // CURLEW_ENGINE_UTIL_CRC32C_H_
