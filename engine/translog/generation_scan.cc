#include "engine/translog/generation_scan.h"

#include <fmt/format.h>

#include <optional>

#include "engine/translog/generation_file.h"
#include "engine/util/bytes.h"
#include "engine/util/error.h"

namespace curlew::translog {
namespace {

bool AllZero(std::string_view bytes) {
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

struct Record {
  RecordType type;
  std::string_view payload;
};

// The record at `offset` if its length and checksum are sound.
std::optional<Record> ReadRecord(std::string_view file, uint64_t offset, uint32_t seed) {
  const std::string_view rest = file.substr(offset);
  ByteReader in(rest);
  const uint32_t length = in.Fixed32();
  const uint8_t type = in.Byte();
  const uint32_t crc = in.Fixed32();
  const std::string_view payload = in.Bytes(length);
  if (in.failed() || type == 0) return std::nullopt;
  if (RecordChecksum(rest.substr(0, 5), payload, seed) != crc) return std::nullopt;
  return Record{static_cast<RecordType>(type), payload};
}

uint64_t MarkValue(const Record& record) { return ByteReader(record.payload).Fixed64(); }

// The first sound sync mark behind `offset`.
std::optional<uint64_t> FindSyncMark(std::string_view file, uint64_t offset, uint32_t seed) {
  static constexpr std::string_view kHead("\x08\0\0\0\x02", 5);  // its length and type
  for (size_t at = file.find(kHead, offset + 1); at != std::string_view::npos;
       at = file.find(kHead, at + 1)) {
    const auto record = ReadRecord(file, at, seed);
    if (record && MarkValue(*record) == at) return at;
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<GenerationScan> ScanGeneration(std::string_view file, uint64_t generation, bool last,
                                              const std::string& path,
                                              const OperationVisitor& visit) {
  const auto corrupt = [&](uint64_t offset, std::string_view what) {
    return Corruption(fmt::format("[{}] at offset {}: {}", path, offset, what));
  };

  GenerationScan scan;
  const auto seed = DecodeHeader(file, generation);
  if (!seed.ok()) return corrupt(0, DescribeError(seed.status()).reason);
  scan.seed = *seed;
  scan.end = kHeaderSize;
  while (const auto record = ReadRecord(file, scan.end, scan.seed)) {
    switch (record->type) {
      case RecordType::kOperation: {
        if (visit != nullptr) {
          const auto operation = DecodeOperation(record->payload);
          if (!operation.ok()) return corrupt(scan.end, DescribeError(operation.status()).reason);
          CURLEW_RETURN_IF_ERROR(visit(*operation));
        }
        ++scan.operations;
        scan.bytes += kFrameSize + record->payload.size();
        break;
      }
      case RecordType::kSyncMark:
        if (record->payload.size() != 8 || MarkValue(*record) != scan.end) {
          return corrupt(scan.end, "a sync mark of another place");
        }
        break;
      case RecordType::kEnd:
        if (record->payload.size() != 8 || MarkValue(*record) != scan.operations) {
          return corrupt(scan.end,
                         fmt::format("the end does not follow {} operations", scan.operations));
        }
        scan.end += kMarkSize;
        scan.ended = true;
        return scan;
      default:
        return corrupt(scan.end, fmt::format("a record of type {}: a later release wrote it",
                                             static_cast<int>(record->type)));
    }
    scan.end += kFrameSize + record->payload.size();
  }

  if (!last) return corrupt(scan.end, "no sound record, although the file was finished");
  if (AllZero(file.substr(scan.end))) {
    scan.blank = scan.end == kHeaderSize;
    return scan;
  }
  if (const auto mark = FindSyncMark(file, scan.end, scan.seed)) {
    return corrupt(scan.end, fmt::format("a damaged record, although all before offset {} had "
                                         "been synced",
                                         *mark));
  }
  return scan;
}

}  // namespace curlew::translog
