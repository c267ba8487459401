#include "engine/codec/postings/impact.h"

#include <algorithm>

namespace curlew::codec {

void ImpactFront::Add(Impact impact) {
  // The first that is at least as frequent; it is the shortest of those.
  const auto at = std::lower_bound(impacts_.begin(), impacts_.end(), impact.freq,
                                   [](const Impact& i, uint32_t freq) { return i.freq < freq; });
  if (at != impacts_.end() && at->norm <= impact.norm) return;
  // Those before it that are no shorter have nothing to give any more, nor has an equal frequency.
  auto first = at;
  while (first != impacts_.begin() && std::prev(first)->norm >= impact.norm) --first;
  auto last = at;
  if (last != impacts_.end() && last->freq == impact.freq) ++last;
  if (first == last) {
    impacts_.insert(first, impact);
  } else {
    *first = impact;
    impacts_.erase(first + 1, last);
  }
}

}  // namespace curlew::codec
