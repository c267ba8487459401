// How a translog generation spells its header and its records.
//
//   header: magic "CRTL" | u32 version | u64 generation | u32 seed | u32 CRC-32C of the above
//   record: u32 length | u8 type | u32 CRC-32C, seeded, of length, type and payload | payload
//   rest of the file: zeros
//
// Every group commit is written as one batch: a sync mark, then the operations. The mark holds its
// own position, and is written only after everything before it has been synced: so a sound mark
// behind a damaged record proves damage, while a damaged record with no mark behind it is a batch
// that never was acknowledged.
#ifndef CURLEW_ENGINE_TRANSLOG_GENERATION_FILE_H_
#define CURLEW_ENGINE_TRANSLOG_GENERATION_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/store/directory.h"

namespace curlew::translog {

constexpr size_t kHeaderSize = 24;
constexpr size_t kFrameSize = 9;              // of a record, without payload
constexpr size_t kMarkSize = kFrameSize + 8;  // a sync mark, an end

enum class RecordType : uint8_t {
  kOperation = 1,
  kSyncMark = 2,  // payload: u64 position of the record in the file
  kEnd = 3,       // payload: u64 number of operations in the file; nothing counts behind it
};

std::string GenerationName(uint64_t generation);
// The generation whose file `name` is, if it is one.
std::optional<uint64_t> ParseGenerationName(std::string_view name);

std::string EncodeHeader(uint64_t generation, uint32_t seed);
// The seed, or Corruption (without the file's name) unless `file` starts with a sound header of
// `generation`.
absl::StatusOr<uint32_t> DecodeHeader(std::string_view file, uint64_t generation);

// The checksum of a record whose length and type stand in `head` (the first 5 bytes of its frame).
uint32_t RecordChecksum(std::string_view head, std::string_view payload, uint32_t seed);

// Makes the frame of a record: `record` holds kFrameSize bytes of any content, then the payload, up
// to its end.
void SealRecord(char* record, size_t size, RecordType type, uint32_t seed);

// A sync mark or an end: kMarkSize bytes at `record`.
void WriteMark(char* record, RecordType type, uint64_t value, uint32_t seed);

// Creates the file of `generation` with its header, `preallocate` bytes long. It appears under its
// name only when it is whole, and durably. Errors leave at most a temporary file, or the file under
// its name but not durably so; after one that is a shortage it may be tried again.
absl::StatusOr<std::unique_ptr<store::LogFile>> CreateGeneration(store::Directory& directory,
                                                                 uint64_t generation, uint32_t seed,
                                                                 uint64_t preallocate);

}  // namespace curlew::translog

#endif  // CURLEW_ENGINE_TRANSLOG_GENERATION_FILE_H_
