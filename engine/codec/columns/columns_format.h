// What the writer and the reader of doc values have to agree on (docs/formats/columns.md).
#ifndef CURLEW_ENGINE_CODEC_COLUMNS_COLUMNS_FORMAT_H_
#define CURLEW_ENGINE_CODEC_COLUMNS_COLUMNS_FORMAT_H_

#include <cstdint>
#include <string>

#include "engine/store/checked_file.h"

namespace curlew::codec {

inline constexpr store::FileFormat kColumnsFormat{"columns", 2, 2};
inline std::string ColumnsFileName(const std::string& segment) { return segment + ".columns"; }

enum class ColumnKind : uint8_t { kNumeric = 0, kOrdinals = 1 };

// How the values of a sequence are coded; "packed" are numbers of one width (bit_packing.h).
enum class SequenceCodec : uint8_t {
  kConstant = 0,  // all are the base
  kPacked = 1,    // base + factor * packed
  kTable = 2,     // table[packed], at most kMaxTable different values
  kBlocks = 3,    // each kSequenceBlock values with a base and a width of their own
  kLinear = 4,    // as kBlocks, but above a line: base + slope * place + packed
};
inline constexpr uint64_t kMaxTable = 256;
inline constexpr uint64_t kSequenceBlock = 1024;
// Words of a block's record: base, position of its numbers << 8 | width, and the slope of kLinear.
inline constexpr uint64_t kBlockWords = 2;
inline constexpr uint64_t kLinearWords = 3;
inline constexpr int kSlopeShift = 16;

// Presence is kept for this many documents at a time: nothing when all or none of them have a
// value, else a list of 16-bit numbers while there are fewer than kMinBitSet, else a bit set with
// the number of values before every 512 documents.
inline constexpr uint32_t kPresenceDocs = 65536;
inline constexpr uint32_t kMinBitSet = 4096;
inline constexpr uint32_t kWordsPerRank = 8;

struct PresenceRecord {
  uint32_t rank;   // documents with a value before the chunk
  uint32_t count;  // and in it
  uint64_t position;
};
static_assert(sizeof(PresenceRecord) == 16);

// What is said of every kColumnBlockDocs documents. Undefined bounds (0) when no document has a
// value.
struct BlockRecord {
  int64_t min;
  int64_t max;
  uint32_t docs;
  uint32_t values;
};
static_assert(sizeof(BlockRecord) == 24);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_COLUMNS_COLUMNS_FORMAT_H_
