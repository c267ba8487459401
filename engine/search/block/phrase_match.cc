#include "engine/search/block/phrase_match.h"

#include <algorithm>
#include <array>
#include <vector>

namespace curlew::search {
namespace {

constexpr size_t kMostPlaces = 16;

}  // namespace

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

uint32_t CountPhrase(std::span<const PhrasePlace> places,
                     std::span<const std::span<const uint32_t>> positions, uint32_t most,
                     PeriodicCheck& check) {
  std::array<size_t, kMostPlaces> few;
  std::vector<size_t> many;
  size_t* at = few.data();
  if (places.size() > kMostPlaces) {
    many.resize(places.size());
    at = many.data();
  } else {
    std::fill_n(at, places.size(), 0);
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
