#include "engine/search/block/phrase_match.h"

#include <algorithm>
#include <array>

namespace curlew::search {
namespace {

// A damaged frequency must not ask for memory that the file cannot fill.
constexpr uint32_t kPiece = 65536;
constexpr size_t kMostPlaces = 16;

uint64_t Sum(const uint32_t* values, uint32_t count) {
  // Sums of 32 bits are what vector instructions are good at; only damage can make them too small,
  // and what is read with a wrong one is bounded like everything.
  uint32_t sum = 0;
  for (uint32_t i = 0; i < count; ++i) sum += values[i];
  return sum;
}

}  // namespace

bool TermPositions::Load(uint32_t block) {
  if (loaded_ && block_ == block) return true;
  loaded_ = false;
  if (!blocks_.Locate(block, located_)) return false;
  located_.Freqs(freqs_);
  total_ = Sum(freqs_, located_.size());
  place_ = {};
  block_ = block;
  loaded_ = true;
  return true;
}

std::span<const uint32_t> TermPositions::Read(uint32_t block, uint32_t place) {
  positions_.clear();
  if (!Load(block) || place >= located_.size()) {
    corrupt_ = true;
    return {};
  }
  const uint32_t count = freqs_[place];
  const uint64_t start = Sum(freqs_, place);
  uint64_t position = 0;
  for (uint32_t done = 0; done < count;) {
    const uint32_t end = done + std::min(count - done, kPiece);
    positions_.resize(end);
    if (!located_.PositionGaps(total_, start + done, end - done, place_,
                               positions_.data() + done)) {
      corrupt_ = true;
      return {};
    }
    for (; done < end; ++done) {
      position += positions_[done];
      positions_[done] = static_cast<uint32_t>(position);
    }
  }
  if (position > 0xffffffff) {
    corrupt_ = true;
    return {};
  }
  return positions_;
}

uint32_t CountPhrase(std::span<const PhrasePlace> places,
                     std::span<const std::span<const uint32_t>> positions, uint32_t most,
                     PeriodicCheck& check) {
  std::array<size_t, kMostPlaces> few{};
  std::vector<size_t> many;
  size_t* at = few.data();
  if (places.size() > kMostPlaces) {
    many.resize(places.size());
    at = many.data();
  }
  uint32_t count = 0;
  const PhrasePlace& lead = places[0];
  for (const uint32_t position : positions[lead.term]) {
    if (position < lead.offset) continue;
    const uint32_t start = position - lead.offset;
    bool all = true;
    size_t i = 1;
    for (; i < places.size() && all; ++i) {
      const std::span<const uint32_t> others = positions[places[i].term];
      const uint32_t wanted = start + places[i].offset;
      while (at[i] < others.size() && others[at[i]] < wanted) ++at[i];
      if (at[i] == others.size()) return count;
      all = others[at[i]] == wanted;
    }
    count += all ? 1 : 0;
    if (count == most || check.Stop(i)) return count;
  }
  return count;
}

}  // namespace curlew::search
