// Sizes every coding of a sequence and writes the smallest.
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/codec/columns/number_sequence.h"
#include "engine/codec/sections.h"

namespace curlew::codec {
namespace {

// Codings that need more work to read have to be this much smaller: an eighth.
constexpr uint64_t Handicap(uint64_t bytes) { return bytes + bytes / 8; }

uint64_t Raw(int64_t value) { return static_cast<uint64_t>(value); }

struct Summary {
  int64_t min = 0;
  int64_t max = 0;
  uint64_t factor = 1;         // greatest that divides all distances from the least
  std::vector<int64_t> table;  // the distinct values, unless they are too many: empty
};

Summary Summarize(std::span<const int64_t> values) {
  Summary s;
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  s.min = *min;
  s.max = *max;
  uint64_t divisor = 0;
  for (const int64_t value : values) {
    divisor = std::gcd(divisor, Raw(value) - Raw(s.min));
    if (divisor == 1) break;
  }
  s.factor = std::max<uint64_t>(divisor, 1);
  int64_t last = values[0];
  s.table.push_back(last);
  for (const int64_t value : values) {
    if (value == last) continue;
    last = value;
    const auto at = std::lower_bound(s.table.begin(), s.table.end(), value);
    if (at != s.table.end() && *at == value) continue;
    if (s.table.size() == kMaxTable) {
      s.table.clear();
      break;
    }
    s.table.insert(at, value);
  }
  return s;
}

// One block of kBlocks or kLinear: what stands in its record, and its packed numbers.
struct CodedBlock {
  uint64_t base = 0;
  uint64_t slope = 0;
  uint32_t width = 0;
};

CodedBlock CodeBlock(std::span<const int64_t> values, uint64_t factor,
                     std::vector<uint64_t>& packed) {
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  CodedBlock block;
  block.base = Raw(*min);
  block.width = PackedWidth((Raw(*max) - Raw(*min)) / factor);
  packed.clear();
  for (const int64_t value : values) packed.push_back((Raw(value) - block.base) / factor);
  return block;
}

// Above the line from the first to the last value. None when the values are too far apart for the
// slope.
std::optional<CodedBlock> CodeLine(std::span<const int64_t> values, std::vector<uint64_t>& packed) {
  constexpr uint64_t kFarthest = uint64_t{1} << 45;
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  if (Raw(*max) - Raw(*min) > kFarthest) return std::nullopt;
  // Seen from the first value, all are within 2^45.
  const uint64_t first = Raw(values.front());
  const auto rise_of = [first](int64_t value) { return static_cast<int64_t>(Raw(value) - first); };
  CodedBlock block;
  if (values.size() > 1) {
    const int64_t rise = rise_of(values.back()) * (int64_t{1} << kSlopeShift);
    block.slope = Raw(rise / static_cast<int64_t>(values.size() - 1));
  }
  const auto above_line = [&](size_t i) {
    return rise_of(values[i]) - (static_cast<int64_t>(block.slope * i) >> kSlopeShift);
  };
  int64_t lowest = 0;
  int64_t highest = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    lowest = std::min(lowest, above_line(i));
    highest = std::max(highest, above_line(i));
  }
  block.base = first + Raw(lowest);
  block.width = PackedWidth(Raw(highest - lowest));
  packed.clear();
  for (size_t i = 0; i < values.size(); ++i) packed.push_back(Raw(above_line(i) - lowest));
  return block;
}

// All blocks, as they are written.
struct Blocks {
  std::vector<uint64_t> records;
  std::string data;
  uint64_t bytes() const { return records.size() * sizeof(uint64_t) + data.size(); }
};

void AddBlock(const CodedBlock& block, const std::vector<uint64_t>& packed, bool linear,
              Blocks& out) {
  out.records.push_back(block.base);
  out.records.push_back(out.data.size() << 8 | block.width);
  if (linear) out.records.push_back(block.slope);
  AppendPacked(packed, block.width, out.data);
}

Blocks CodeBlocks(std::span<const int64_t> values, uint64_t factor) {
  Blocks out;
  std::vector<uint64_t> packed;
  for (size_t at = 0; at < values.size(); at += kSequenceBlock) {
    const auto part = values.subspan(at, std::min<size_t>(kSequenceBlock, values.size() - at));
    AddBlock(CodeBlock(part, factor, packed), packed, false, out);
  }
  return out;
}

std::optional<Blocks> CodeLines(std::span<const int64_t> values, uint64_t at_most) {
  Blocks out;
  std::vector<uint64_t> packed;
  for (size_t at = 0; at < values.size(); at += kSequenceBlock) {
    const auto part = values.subspan(at, std::min<size_t>(kSequenceBlock, values.size() - at));
    const std::optional<CodedBlock> block = CodeLine(part, packed);
    if (!block) return std::nullopt;
    AddBlock(*block, packed, true, out);
    if (out.bytes() > at_most) return std::nullopt;
  }
  return out;
}

void PutPacked(store::CheckedWriter& out, const std::vector<uint64_t>& packed, uint32_t width,
               std::string& contents) {
  std::string bytes;
  AppendPacked(packed, width, bytes);
  out.Align(sizeof(uint64_t));
  contents.push_back(static_cast<char>(width));
  PutVarint(contents, out.position());
  out.Append(bytes);
}

void PutCodec(SequenceCodec codec, std::string& contents) {
  contents.push_back(static_cast<char>(codec));
}

void PutBlocks(store::CheckedWriter& out, const Blocks& blocks, SequenceCodec codec,
               uint64_t factor, std::string& contents) {
  PutCodec(codec, contents);
  PutFixed64(contents, factor);
  PutVarint(contents, AppendArray(out, std::span<const uint64_t>(blocks.records)));
  PutVarint(contents, out.position());
  PutVarint(contents, blocks.data.size());
  out.Append(blocks.data);
}

}  // namespace

void WriteSequence(store::CheckedWriter& out, std::span<const int64_t> values,
                   std::string& contents) {
  const Summary summary = Summarize(values);
  PutVarint(contents, values.size());
  if (summary.min == summary.max) {
    PutCodec(SequenceCodec::kConstant, contents);
    PutFixed64(contents, Raw(summary.min));
    return;
  }
  const uint64_t range = (Raw(summary.max) - Raw(summary.min)) / summary.factor;
  const uint32_t packed_width = PackedWidth(range);
  const uint64_t packed_bytes = PackedBytes(values.size(), packed_width);
  const bool table = !summary.table.empty();
  const uint32_t table_width = PackedWidth(table ? summary.table.size() - 1 : 0);
  const uint64_t table_bytes =
      PackedBytes(values.size(), table_width) + summary.table.size() * sizeof(int64_t);

  uint64_t best = packed_bytes;
  const bool use_table = table && Handicap(table_bytes) < best;
  if (use_table) best = table_bytes;
  const Blocks blocks = CodeBlocks(values, summary.factor);
  const bool use_blocks = Handicap(blocks.bytes()) < best;
  if (use_blocks) best = blocks.bytes();
  // A line pays when it takes three quarters at most.
  if (const auto lines = CodeLines(values, best - best / 4)) {
    return PutBlocks(out, *lines, SequenceCodec::kLinear, 1, contents);
  }
  if (use_blocks) return PutBlocks(out, blocks, SequenceCodec::kBlocks, summary.factor, contents);

  std::vector<uint64_t> packed;
  packed.reserve(values.size());
  if (use_table) {
    PutCodec(SequenceCodec::kTable, contents);
    PutVarint(contents, summary.table.size());
    for (const int64_t value : summary.table) PutFixed64(contents, Raw(value));
    for (const int64_t value : values) {
      const auto at = std::lower_bound(summary.table.begin(), summary.table.end(), value);
      packed.push_back(static_cast<uint64_t>(at - summary.table.begin()));
    }
    return PutPacked(out, packed, table_width, contents);
  }
  PutCodec(SequenceCodec::kPacked, contents);
  PutFixed64(contents, Raw(summary.min));
  PutFixed64(contents, summary.factor);
  for (const int64_t value : values) {
    packed.push_back((Raw(value) - Raw(summary.min)) / summary.factor);
  }
  PutPacked(out, packed, packed_width, contents);
}

}  // namespace curlew::codec
