#include "engine/translog/generation_file.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

#include "engine/util/bytes.h"
#include "engine/util/crc32c.h"
#include "engine/util/error.h"

namespace curlew::translog {
namespace {

constexpr uint32_t kMagic = 0x4c545243;  // "CRTL" as it lies in the file
constexpr uint32_t kVersion = 1;
constexpr std::string_view kPrefix = "translog-";
constexpr std::string_view kSuffix = ".log";

}  // namespace

std::string GenerationName(uint64_t generation) {
  return fmt::format("{}{}{}", kPrefix, generation, kSuffix);
}

std::optional<uint64_t> ParseGenerationName(std::string_view name) {
  if (name.size() <= kPrefix.size() + kSuffix.size() || !name.starts_with(kPrefix) ||
      !name.ends_with(kSuffix)) {
    return std::nullopt;
  }
  const std::string_view digits =
      name.substr(kPrefix.size(), name.size() - kPrefix.size() - kSuffix.size());
  uint64_t generation = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), generation);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  if (GenerationName(generation) != name) return std::nullopt;  // leading zeros
  return generation;
}

std::string EncodeHeader(uint64_t generation, uint32_t seed) {
  std::string header;
  PutFixed32(header, kMagic);
  PutFixed32(header, kVersion);
  PutFixed64(header, generation);
  PutFixed32(header, seed);
  PutFixed32(header, Crc32c(header));
  return header;
}

absl::StatusOr<uint32_t> DecodeHeader(std::string_view file, uint64_t generation) {
  if (file.size() < kHeaderSize) return Corruption("too short for a header");
  ByteReader in(file);
  if (in.Fixed32() != kMagic) return Corruption("not a translog, or its header is damaged");
  const uint32_t version = in.Fixed32();
  const uint64_t found = in.Fixed64();
  const uint32_t seed = in.Fixed32();
  if (in.Fixed32() != Crc32c(file.substr(0, kHeaderSize - 4))) {
    return Corruption("the header is damaged");
  }
  if (version != kVersion) {
    return Corruption(
        fmt::format("version {} is not {}: another release wrote it", version, kVersion));
  }
  if (found != generation) return Corruption(fmt::format("holds generation {}", found));
  return seed;
}

uint32_t RecordChecksum(std::string_view head, std::string_view payload, uint32_t seed) {
  return Crc32c(payload, Crc32c(head, seed));
}

void SealRecord(char* record, size_t size, RecordType type, uint32_t seed) {
  const auto length = static_cast<uint32_t>(size - kFrameSize);
  std::memcpy(record, &length, 4);
  record[4] = static_cast<char>(type);
  const uint32_t crc = RecordChecksum({record, 5}, {record + kFrameSize, length}, seed);
  std::memcpy(record + 5, &crc, 4);
}

void WriteMark(char* record, RecordType type, uint64_t value, uint32_t seed) {
  std::memcpy(record + kFrameSize, &value, 8);
  SealRecord(record, kMarkSize, type, seed);
}

absl::StatusOr<std::unique_ptr<store::LogFile>> CreateGeneration(store::Directory& directory,
                                                                 uint64_t generation, uint32_t seed,
                                                                 uint64_t preallocate) {
  const std::string name = GenerationName(generation);
  const std::string temporary = name + ".tmp";
  CURLEW_ASSIGN_OR_RETURN(auto file, directory.OpenLog(temporary, preallocate));
  const auto make = [&]() -> absl::Status {
    CURLEW_RETURN_IF_ERROR(file->WriteAt(0, EncodeHeader(generation, seed)));
    CURLEW_RETURN_IF_ERROR(file->DataSync());
    return directory.Rename(temporary, name);
  };
  if (absl::Status status = make(); !status.ok()) {
    // Another attempt makes a file of its own.
    directory.Delete(temporary).IgnoreError();
    return status;
  }
  CURLEW_RETURN_IF_ERROR(directory.SyncDirectory());
  return file;
}

}  // namespace curlew::translog
