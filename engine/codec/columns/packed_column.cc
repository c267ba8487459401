#include "engine/codec/columns/packed_column.h"

#include <algorithm>
#include <array>

#include "engine/codec/sections.h"
#include "engine/util/error.h"

namespace curlew::codec {
namespace {

constexpr size_t kStep = 256;  // documents looked up at a time

bool Adjacent(std::span<const DocId> docs) {
  return !docs.empty() && docs.back() - docs.front() == docs.size() - 1;
}

bool AnyBit(const std::vector<uint64_t>& bits, uint64_t first, uint64_t last) {
  for (uint64_t at = first; at < last;) {
    const uint64_t end = std::min(last, at - at % 64 + 64);
    uint64_t mask = ~uint64_t{0} << (at % 64);
    if (end % 64 != 0) mask &= (uint64_t{1} << (end % 64)) - 1;
    if ((bits[at / 64] & mask) != 0) return true;
    at = end;
  }
  return false;
}

}  // namespace

absl::Status PackedColumn::Load(const store::CheckedFile& file, ByteReader& in, DocId max_doc) {
  const auto bad = [&file] { return Corruption(file.name() + ": impossible counts of values"); };
  CURLEW_RETURN_IF_ERROR(presence_.Load(file, in, max_doc));
  const uint8_t single = in.Byte();
  if (in.failed() || single > 1) return bad();
  single_ = single == 1;
  if (!single_) {
    CURLEW_RETURN_IF_ERROR(starts_.Load(file, in));
    if (starts_.size() != uint64_t{presence_.count()} + 1) return bad();
  }
  CURLEW_RETURN_IF_ERROR(values_.Load(file, in));
  if (single_ ? values_.size() != presence_.count() : values_.size() < presence_.count()) {
    return bad();
  }
  const uint64_t blocks_at = in.Varint();
  if (in.failed()) return bad();
  const uint64_t blocks = (uint64_t{max_doc} + kColumnBlockDocs - 1) / kColumnBlockDocs;
  CURLEW_ASSIGN_OR_RETURN(blocks_, MappedArray<BlockRecord>(file, blocks_at, blocks));
  uint64_t docs = 0;
  uint64_t values = 0;
  for (const BlockRecord& block : blocks_) {
    docs += block.docs;
    values += block.values;
  }
  return docs == presence_.count() && values == values_.size() ? absl::OkStatus() : bad();
}

ColumnBlock PackedColumn::Block(uint32_t block) const {
  if (block >= blocks_.size()) return {0, 0, false, true};
  const BlockRecord& record = blocks_[block];
  const DocId docs = std::min(kColumnBlockDocs, presence_.max_doc() - block * kColumnBlockDocs);
  return {record.min, record.max, record.docs == docs, record.docs == 0};
}

PackedColumn::Place PackedColumn::PlaceOfRank(uint32_t rank) const {
  if (single_) return {rank, 1};
  const auto first = static_cast<uint64_t>(starts_.Get(rank));
  const auto last = static_cast<uint64_t>(starts_.Get(uint64_t{rank} + 1));
  if (first > last || last > values_.size()) return {};
  return {first, last - first};
}

PackedColumn::Place PackedColumn::PlaceOf(DocId doc) const {
  const uint32_t rank = presence_.Rank(doc);
  return rank == Presence::kNone ? Place() : PlaceOfRank(rank);
}

std::span<const int64_t> PackedColumn::Values(DocId doc, ColumnScratch& scratch) const {
  const Place place = PlaceOf(doc);
  if (place.count == 0) return {};
  scratch.numbers.resize(place.count);
  if (place.count == 1) {
    scratch.numbers[0] = values_.Get(place.first);
  } else {
    values_.Read(place.first, place.count, scratch.numbers.data());
  }
  return scratch.numbers;
}

void PackedColumn::Read(std::span<const DocId> docs, ValuePick pick, int64_t missing,
                        int64_t* out) const {
  if (single_ && presence_.every() && !docs.empty() && docs.back() < presence_.max_doc()) {
    if (Adjacent(docs)) return values_.Read(docs.front(), docs.size(), out);
    return values_.Gather(docs, out);
  }
  std::array<uint32_t, kStep> ranks;
  std::array<uint32_t, kStep> positions;
  std::array<uint32_t, kStep> owners;
  std::array<int64_t, kStep> values;
  for (size_t done = 0; done < docs.size(); done += kStep) {
    const size_t step = std::min(kStep, docs.size() - done);
    presence_.Ranks(docs.subspan(done, step), ranks.data());
    uint32_t found = 0;
    for (uint32_t i = 0; i < step; ++i) {
      out[done + i] = missing;
      if (ranks[i] == Presence::kNone) continue;
      const Place place = PlaceOfRank(ranks[i]);
      if (place.count == 0) continue;
      const uint64_t at = place.first + (pick == ValuePick::kLeast ? 0 : place.count - 1);
      positions[found] = static_cast<uint32_t>(at);
      owners[found++] = i;
    }
    values_.Gather({positions.data(), found}, values.data());
    for (uint32_t i = 0; i < found; ++i) out[done + owners[i]] = values[i];
  }
}

PackedColumn::Place PackedColumn::PlaceOfAll(DocId first, DocId last) const {
  const uint32_t from = presence_.Before(first);
  const uint32_t to = presence_.Before(last);
  if (from >= to) return {};
  if (single_) return {from, to - from};
  const auto start = static_cast<uint64_t>(starts_.Get(from));
  const auto end = static_cast<uint64_t>(starts_.Get(to));
  if (start > end || end > values_.size()) return {};
  return {start, end - start};
}

void PackedColumn::Mark(DocId first, uint32_t count, int64_t low, int64_t high,
                        ColumnScratch& scratch, uint64_t* bits) const {
  if (single_ && presence_.every() && first + count <= presence_.max_doc()) {
    return values_.Mark(first, count, low, high, bits);
  }
  std::fill_n(bits, (count + 63) / 64, 0);
  scratch.docs.clear();
  const uint32_t rank = presence_.Collect(first, first + count, scratch.docs);
  const size_t found = scratch.docs.size();
  if (found == 0) return;
  const auto set = [&](size_t i) {
    const uint32_t at = scratch.docs[i] - first;
    bits[at / 64] |= uint64_t{1} << (at % 64);
  };
  if (single_) {
    scratch.bits.resize((found + 63) / 64);
    values_.Mark(rank, found, low, high, scratch.bits.data());
    for (size_t word = 0; word < scratch.bits.size(); ++word) {
      for (uint64_t left = scratch.bits[word]; left != 0; left &= left - 1) {
        set(word * 64 + static_cast<size_t>(std::countr_zero(left)));
      }
    }
    return;
  }
  scratch.numbers.resize(found + 1);
  starts_.Read(rank, found + 1, scratch.numbers.data());
  const auto base = static_cast<uint64_t>(scratch.numbers.front());
  const auto end = static_cast<uint64_t>(scratch.numbers.back());
  if (base > end || end > values_.size()) return;
  scratch.bits.resize((end - base + 63) / 64);
  values_.Mark(base, end - base, low, high, scratch.bits.data());
  for (size_t i = 0; i < found; ++i) {
    const auto from = static_cast<uint64_t>(scratch.numbers[i]);
    const auto to = static_cast<uint64_t>(scratch.numbers[i + 1]);
    if (from < base || from > to || to > end) continue;
    if (AnyBit(scratch.bits, from - base, to - base)) set(i);
  }
}

void ColumnBuffer::Clear() {
  docs_.clear();
  starts_.clear();
  values_.clear();
  single_ = true;
}

void ColumnBuffer::Write(store::CheckedWriter& out, DocId max_doc, std::string& contents) {
  starts_.push_back(static_cast<int64_t>(values_.size()));
  WritePresence(out, docs_, max_doc, contents);
  contents.push_back(static_cast<char>(single_));
  if (!single_) WriteSequence(out, starts_, contents);
  WriteSequence(out, values_, contents);

  std::vector<BlockRecord> blocks((uint64_t{max_doc} + kColumnBlockDocs - 1) / kColumnBlockDocs);
  for (size_t i = 0; i < docs_.size(); ++i) {
    BlockRecord& block = blocks[docs_[i] / kColumnBlockDocs];
    for (int64_t at = starts_[i]; at < starts_[i + 1]; ++at) {
      const int64_t value = values_[static_cast<size_t>(at)];
      block.min = block.values == 0 ? value : std::min(block.min, value);
      block.max = block.values == 0 ? value : std::max(block.max, value);
      ++block.values;
    }
    ++block.docs;
  }
  PutVarint(contents, AppendArray(out, std::span<const BlockRecord>(blocks)));
}

}  // namespace curlew::codec
