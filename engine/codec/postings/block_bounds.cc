#include "engine/codec/postings/block_bounds.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace curlew::codec {

std::shared_ptr<const BlockBounds> BlockBounds::Of(const PostingBlocks& blocks,
                                                   const NormFactors& factors) {
  auto bounds = std::make_shared<BlockBounds>();
  bounds->blocks_.resize(blocks.count());
  std::array<float, kBest>& best = bounds->best_;
  const bool sound = blocks.ForEachFront([&](uint32_t block, std::span<const Impact> front) {
    float most = 0;
    for (const Impact& impact : front) {
      const float count = static_cast<float>(impact.freq) * factors[impact.norm];
      most = std::max(most, count);
      // Each impact is that of a document of its own.
      if (!(count > best[kBest - 1])) continue;
      const auto at = std::upper_bound(best.begin(), best.end(), count, std::greater<>());
      std::move_backward(at, best.end() - 1, best.end());
      *at = count;
    }
    bounds->blocks_[block] = most;
  });
  if (!sound) return nullptr;
  return bounds;
}

uint32_t BlockBounds::Next(uint32_t from, float count) const {
  constexpr uint32_t kAtOnce = 16;
  const auto blocks = static_cast<uint32_t>(blocks_.size());
  if (!(count > 0)) return std::min(from, blocks);
  // Floats that are not negative are in the order of their bits, and the greatest of several
  // integers is a matter of a few instructions.
  const auto wanted = std::bit_cast<int32_t>(count);
  for (; from + kAtOnce <= blocks; from += kAtOnce) {
    int32_t most = 0;
    for (uint32_t i = 0; i < kAtOnce; ++i) {
      most = std::max(most, std::bit_cast<int32_t>(blocks_[from + i]));
    }
    if (most >= wanted) break;
  }
  while (from < blocks && blocks_[from] < count) ++from;
  return from;
}

size_t BlockBoundsCache::memory() const {
  std::lock_guard lock(mutex_);
  size_t bytes = 0;
  for (const auto& [offset, bounds] : bounds_) bytes += bounds->memory();
  return bytes;
}

std::shared_ptr<const BlockBounds> BlockBoundsCache::Get(uint64_t offset,
                                                         const PostingBlocks& blocks,
                                                         const NormFactors& factors) {
  {
    std::lock_guard lock(mutex_);
    // Two are enough to tell: all come from one mean length.
    if (factors_[1] != factors[1] || factors_[255] != factors[255]) {
      bounds_.clear();
      factors_ = factors;
    } else if (const auto it = bounds_.find(offset); it != bounds_.end()) {
      return it->second;
    }
  }
  std::shared_ptr<const BlockBounds> bounds = BlockBounds::Of(blocks, factors);
  if (bounds == nullptr) return nullptr;
  std::lock_guard lock(mutex_);
  const bool current = factors_[1] == factors[1] && factors_[255] == factors[255];
  if (current) bounds_.emplace(offset, bounds);
  return bounds;
}

}  // namespace curlew::codec
