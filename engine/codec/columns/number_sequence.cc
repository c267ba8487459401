#include "engine/codec/columns/number_sequence.h"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/codec/sections.h"
#include "engine/util/error.h"

namespace curlew::codec {
namespace {

absl::Status Bad(const store::CheckedFile& file) {
  return Corruption(file.name() + ": the numbers of a column are damaged");
}

uint64_t OnLine(uint64_t slope, uint64_t place) {
  // The slope may be negative, so the shift has to keep the sign.
  return static_cast<uint64_t>(static_cast<int64_t>(slope * place) >> kSlopeShift);
}

}  // namespace

absl::Status NumberSequence::Load(const store::CheckedFile& file, ByteReader& in) {
  size_ = in.Varint();
  const uint8_t codec = in.Byte();
  if (in.failed() || size_ == 0 || size_ > (uint64_t{1} << 33) ||
      codec > static_cast<uint8_t>(SequenceCodec::kLinear)) {
    return Bad(file);
  }
  codec_ = static_cast<SequenceCodec>(codec);
  if (codec_ == SequenceCodec::kBlocks || codec_ == SequenceCodec::kLinear) {
    return LoadBlocks(file, in);
  }
  if (codec_ == SequenceCodec::kTable) {
    table_size_ = in.Varint();
    if (in.failed() || table_size_ == 0 || table_size_ > kMaxTable) return Bad(file);
    for (size_t i = 0; i < table_size_; ++i) table_.push_back(static_cast<int64_t>(in.Fixed64()));
    if (!std::is_sorted(table_.begin(), table_.end())) return Bad(file);
  } else {
    base_ = in.Fixed64();
    if (codec_ == SequenceCodec::kConstant) return in.failed() ? Bad(file) : absl::OkStatus();
    factor_ = in.Fixed64();
  }
  const uint8_t width = in.Byte();
  const uint64_t at = in.Varint();
  if (in.failed() || !IsPackedWidth(width) || factor_ == 0 ||
      (codec_ == SequenceCodec::kTable && width > 8)) {
    return Bad(file);
  }
  // Whatever a damaged number says, it names something.
  if (codec_ == SequenceCodec::kTable) table_.resize(size_t{1} << width, table_.back());
  CURLEW_ASSIGN_OR_RETURN(const std::string_view bytes,
                          MappedBytes(file, at, PackedBytes(size_, width)));
  packed_ = PackedReader(bytes.data(), width);
  return absl::OkStatus();
}

absl::Status NumberSequence::LoadBlocks(const store::CheckedFile& file, ByteReader& in) {
  factor_ = in.Fixed64();
  const uint64_t records_at = in.Varint();
  const uint64_t data_at = in.Varint();
  const uint64_t data_size = in.Varint();
  if (in.failed() || factor_ == 0) return Bad(file);
  const uint64_t blocks = (size_ + kSequenceBlock - 1) / kSequenceBlock;
  const uint64_t words = codec_ == SequenceCodec::kLinear ? kLinearWords : kBlockWords;
  CURLEW_ASSIGN_OR_RETURN(records_, MappedArray<uint64_t>(file, records_at, blocks * words));
  CURLEW_ASSIGN_OR_RETURN(const std::string_view data, MappedBytes(file, data_at, data_size));
  data_ = data.data();
  for (uint64_t block = 0; block < blocks; ++block) {
    const uint64_t place = records_[block * words + 1];
    const uint64_t count = std::min(kSequenceBlock, size_ - block * kSequenceBlock);
    if (!IsPackedWidth(place & 0xff)) return Bad(file);
    const uint64_t bytes = PackedBytes(count, static_cast<uint32_t>(place & 0xff));
    if (bytes > data_size || place >> 8 > data_size - bytes) return Bad(file);
  }
  return absl::OkStatus();
}

NumberSequence::Block NumberSequence::BlockAt(uint64_t block) const {
  const bool linear = codec_ == SequenceCodec::kLinear;
  const uint64_t* record = &records_[block * (linear ? kLinearWords : kBlockWords)];
  return {record[0], linear ? record[2] : 0,
          PackedReader(data_ + (record[1] >> 8), static_cast<uint32_t>(record[1] & 0xff))};
}

int64_t NumberSequence::Get(uint64_t position) const {
  switch (codec_) {
    case SequenceCodec::kConstant:
      return static_cast<int64_t>(base_);
    case SequenceCodec::kPacked:
      return static_cast<int64_t>(base_ + factor_ * packed_.Get(position));
    case SequenceCodec::kTable:
      return table_[packed_.Get(position)];
    default:
      break;
  }
  const Block block = BlockAt(position / kSequenceBlock);
  const uint64_t place = position % kSequenceBlock;
  return static_cast<int64_t>(block.base + OnLine(block.slope, place) +
                              factor_ * block.packed.Get(place));
}

void NumberSequence::Read(uint64_t first, size_t count, int64_t* out) const {
  auto* raw = reinterpret_cast<uint64_t*>(out);
  switch (codec_) {
    case SequenceCodec::kConstant:
      std::fill_n(raw, count, base_);
      return;
    case SequenceCodec::kPacked:
      packed_.Read(first, count, raw);
      if (factor_ == 1) {
        if (base_ == 0) return;
        for (size_t i = 0; i < count; ++i) raw[i] += base_;
        return;
      }
      for (size_t i = 0; i < count; ++i) raw[i] = base_ + factor_ * raw[i];
      return;
    case SequenceCodec::kTable:
      packed_.Read(first, count, raw);
      for (size_t i = 0; i < count; ++i) out[i] = table_[raw[i]];
      return;
    default:
      break;
  }
  while (count > 0) {
    const Block block = BlockAt(first / kSequenceBlock);
    const uint64_t place = first % kSequenceBlock;
    const size_t step = std::min<uint64_t>(count, kSequenceBlock - place);
    block.packed.Read(place, step, raw);
    for (size_t i = 0; i < step; ++i) {
      raw[i] = block.base + OnLine(block.slope, place + i) + factor_ * raw[i];
    }
    raw += step;
    first += step;
    count -= step;
  }
}

void NumberSequence::Gather(std::span<const uint32_t> positions, int64_t* out) const {
  if (codec_ == SequenceCodec::kPacked) {
    const PackedReader packed = packed_;
    for (size_t i = 0; i < positions.size(); ++i) {
      out[i] = static_cast<int64_t>(base_ + factor_ * packed.Get(positions[i]));
    }
    return;
  }
  for (size_t i = 0; i < positions.size(); ++i) out[i] = Get(positions[i]);
}

// Looks for the packed numbers whose values lie between the bounds, which are all those from one to
// another: base + factor * packed grows with packed and does not wrap in a sound file.
void NumberSequence::MarkPacked(const PackedReader& packed, uint64_t base, uint64_t first,
                                size_t count, int64_t low, int64_t high, uint64_t* bits) const {
  const auto least = static_cast<int64_t>(base);
  if (high < least) {
    std::fill_n(bits, (count + 63) / 64, 0);
    return;
  }
  const uint64_t below = low <= least ? 0 : static_cast<uint64_t>(low) - base;
  const uint64_t from = below / factor_ + (below % factor_ != 0 ? 1 : 0);
  const uint64_t to = (static_cast<uint64_t>(high) - base) / factor_;
  if (from > to) {
    std::fill_n(bits, (count + 63) / 64, 0);
    return;
  }
  packed.Mark(first, count, from, to - from, bits);
}

void NumberSequence::Mark(uint64_t first, size_t count, int64_t low, int64_t high,
                          uint64_t* bits) const {
  if (low > high) {
    std::fill_n(bits, (count + 63) / 64, 0);
    return;
  }
  switch (codec_) {
    case SequenceCodec::kConstant:
    case SequenceCodec::kPacked:
      return MarkPacked(packed_, base_, first, count, low, high, bits);
    case SequenceCodec::kTable: {
      const auto end = table_.begin() + static_cast<std::ptrdiff_t>(table_size_);
      const auto from = std::lower_bound(table_.begin(), end, low);
      const auto to = std::upper_bound(from, end, high);
      if (from == to) {
        std::fill_n(bits, (count + 63) / 64, 0);
        return;
      }
      return packed_.Mark(first, count, static_cast<uint64_t>(from - table_.begin()),
                          static_cast<uint64_t>(to - from) - 1, bits);
    }
    default:
      break;
  }
  if (codec_ == SequenceCodec::kBlocks && first % 64 == 0) {
    for (size_t done = 0; done < count;) {
      const Block block = BlockAt((first + done) / kSequenceBlock);
      const uint64_t place = (first + done) % kSequenceBlock;
      const size_t step = std::min<uint64_t>(count - done, kSequenceBlock - place);
      MarkPacked(block.packed, block.base, place, step, low, high, bits + done / 64);
      done += step;
    }
    return;
  }
  // Steps of whole words; a step may lie in two blocks.
  std::array<int64_t, 512> values;
  for (size_t done = 0; done < count; done += values.size()) {
    const size_t step = std::min(values.size(), count - done);
    Read(first + done, step, values.data());
    MarkInSpan(reinterpret_cast<const uint64_t*>(values.data()), step, static_cast<uint64_t>(low),
               static_cast<uint64_t>(high) - static_cast<uint64_t>(low), bits + done / 64);
  }
}

}  // namespace curlew::codec
