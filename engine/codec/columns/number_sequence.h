// A long row of integers, coded in whichever way takes the least room, read at random or in runs.
// What the values of a column are kept in.
#ifndef CURLEW_ENGINE_CODEC_COLUMNS_NUMBER_SEQUENCE_H_
#define CURLEW_ENGINE_CODEC_COLUMNS_NUMBER_SEQUENCE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/codec/columns/bit_packing.h"
#include "engine/codec/columns/columns_format.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"

namespace curlew::codec {

// Writes the packed numbers to `out` and appends to `contents` what a reader has to know.
void WriteSequence(store::CheckedWriter& out, std::span<const int64_t> values,
                   std::string& contents);

// Valid as long as the file is mapped. Immutable. The caller keeps positions below size().
class NumberSequence {
 public:
  absl::Status Load(const store::CheckedFile& file, ByteReader& in);

  uint64_t size() const { return size_; }
  SequenceCodec codec() const { return codec_; }
  int64_t Get(uint64_t position) const;
  void Read(uint64_t first, size_t count, int64_t* out) const;
  // The values at `positions`, in any order.
  void Gather(std::span<const uint32_t> positions, int64_t* out) const;
  // Sets bit i of `bits` when value `first + i` lies in [low, high], clears the others; whole words
  // are written.
  void Mark(uint64_t first, size_t count, int64_t low, int64_t high, uint64_t* bits) const;

 private:
  struct Block {
    uint64_t base;
    uint64_t slope;  // of kLinear, in 1/65,536
    PackedReader packed;
  };

  absl::Status LoadBlocks(const store::CheckedFile& file, ByteReader& in);
  Block BlockAt(uint64_t block) const;
  void MarkPacked(const PackedReader& packed, uint64_t base, uint64_t first, size_t count,
                  int64_t low, int64_t high, uint64_t* bits) const;

  uint64_t size_ = 0;
  SequenceCodec codec_ = SequenceCodec::kConstant;
  uint64_t base_ = 0;  // two's complement: sums wrap
  uint64_t factor_ = 1;
  PackedReader packed_;
  std::vector<int64_t> table_;         // kTable: ascending, as many as the packed numbers can name
  size_t table_size_ = 0;              // of these the ones that were written
  std::span<const uint64_t> records_;  // kBlocks, kLinear
  const char* data_ = nullptr;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_COLUMNS_NUMBER_SEQUENCE_H_
