#include "engine/codec/postings/block_positions.h"

#include <algorithm>

namespace curlew::codec {
namespace {

// A damaged frequency must not ask for memory that the file cannot fill.
constexpr uint32_t kPiece = 65536;

uint64_t Sum(const uint32_t* values, uint32_t count) {
  // In 32 bits, which vector instructions are good at; only damage can make it too small, and what
  // is read with a wrong sum is bounded like everything.
  uint32_t sum = 0;
  for (uint32_t i = 0; i < count; ++i) sum += values[i];
  return sum;
}

}  // namespace

void BlockPositions::Load() {
  block_->Freqs(freqs_);
  total_ = Sum(freqs_, block_->size());
  at_ = 0;
  start_ = 0;
  place_ = {};
  loaded_ = true;
}

std::span<const uint32_t> BlockPositions::Read(uint32_t place) {
  if (!loaded_) Load();
  if (place >= block_->size()) return {};
  if (place < at_) {
    at_ = 0;
    start_ = 0;
  }
  start_ += Sum(freqs_ + at_, place - at_);
  at_ = place;
  const uint32_t count = freqs_[place];
  if (!Decode(count)) {
    corrupt_ = true;
    return {};
  }
  return {positions_.data(), count};
}

bool BlockPositions::Decode(uint32_t count) {
  uint64_t position = 0;
  for (uint32_t done = 0; done < count;) {
    const uint32_t end = done + std::min(count - done, kPiece);
    if (positions_.size() < end) positions_.resize(end);
    if (!block_->PositionGaps(total_, start_ + done, end - done, place_,
                              positions_.data() + done)) {
      return false;
    }
    for (; done < end; ++done) {
      position += positions_[done];
      positions_[done] = static_cast<uint32_t>(position);
    }
  }
  return position <= 0xffffffff;
}

}  // namespace curlew::codec
