#include "engine/codec/points/sort_numbers.h"

#include <algorithm>
#include <array>

namespace curlew::codec {
namespace {

constexpr size_t kFewPoints = 256;  // that are sorted faster by comparing

// The sign bit flipped, so that unsigned order is that of the numbers.
uint64_t Key(const NumberPoint& point) {
  return static_cast<uint64_t>(point.value) ^ (uint64_t{1} << 63);
}

}  // namespace

void SortNumbers(std::vector<NumberPoint>& points) {
  const auto less = [](const NumberPoint& a, const NumberPoint& b) { return a.value < b.value; };
  if (std::is_sorted(points.begin(), points.end(), less)) return;
  if (points.size() <= kFewPoints) {
    std::stable_sort(points.begin(), points.end(), less);
    return;
  }
  std::vector<NumberPoint> other(points.size());
  for (int shift = 0; shift < 64; shift += 8) {
    std::array<size_t, 256> places{};
    for (const NumberPoint& point : points) ++places[Key(point) >> shift & 0xff];
    if (std::find(places.begin(), places.end(), points.size()) != places.end()) continue;
    size_t next = 0;
    for (size_t& place : places) {
      const size_t count = place;
      place = next;
      next += count;
    }
    for (const NumberPoint& point : points) other[places[Key(point) >> shift & 0xff]++] = point;
    points.swap(other);
  }
}

}  // namespace curlew::codec
