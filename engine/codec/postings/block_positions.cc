#include "engine/codec/postings/block_positions.h"

#include <algorithm>

namespace curlew::codec {

std::span<const uint32_t> BlockPositions::Read(uint32_t place) {
  if (place >= block_->size()) return {};
  if (!loaded_) {
    block_->PositionEnds(ends_);
    total_ = ends_[block_->size() - 1];
    chunk_.next = nullptr;
    chunk_.size = 0;
    loaded_ = true;
  }
  // Sums of damaged frequencies may come down again: what is read is bounded by the file.
  const uint32_t first = place == 0 ? 0 : ends_[place - 1];
  const uint32_t count = ends_[place] - first;
  if (!Decode(first, count)) {
    corrupt_ = true;
    return {};
  }
  return {positions_.data(), count};
}

bool BlockPositions::Decode(uint64_t first, uint32_t count) {
  uint64_t position = 0;
  for (uint32_t done = 0; done < count;) {
    const uint64_t at = first + done;
    const bool here = at >= chunk_.start && at < chunk_.start + chunk_.size;
    if (!here && !block_->ReadPositions(total_, at, chunk_)) return false;
    const auto from = static_cast<uint32_t>(at - chunk_.start);
    const uint32_t take = std::min(count - done, chunk_.size - from);
    if (positions_.size() < done + take) positions_.resize(done + take);
    uint32_t* const out = positions_.data() + done;
    const uint32_t* const gaps = chunk_.gaps + from;
    for (uint32_t i = 0; i < take; ++i) {
      position += gaps[i];
      out[i] = static_cast<uint32_t>(position);
    }
    done += take;
  }
  return position <= 0xffffffff;
}

}  // namespace curlew::codec
