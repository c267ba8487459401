#include "engine/search/block/phrase_match.h"

namespace curlew::search {

std::span<const uint32_t> TermPositions::Read(uint32_t block, uint32_t place) {
  if (block_ != block) {
    block_.reset();
    if (!blocks_.Locate(block, located_)) {
      corrupt_ = true;
      return {};
    }
    block_ = block;
    positions_.Reset(located_);
  }
  return positions_.Read(place);
}

void PhraseStarts::Begin(std::span<const uint32_t> positions, uint32_t offset) {
  starts_.clear();
  for (const uint32_t position : positions) {
    if (position >= offset) starts_.push_back(position - offset);
  }
}

void PhraseStarts::Keep(std::span<const uint32_t> positions, uint32_t offset) {
  size_t kept = 0;
  size_t at = 0;
  for (const uint32_t start : starts_) {
    const uint32_t wanted = start + offset;
    while (at < positions.size() && positions[at] < wanted) ++at;
    if (at == positions.size()) break;
    if (positions[at] == wanted) starts_[kept++] = start;
  }
  starts_.resize(kept);
}

}  // namespace curlew::search
