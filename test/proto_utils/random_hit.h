// Hits at random, for tests of what becomes of them.
#ifndef CURLEW_TEST_PROTO_UTILS_RANDOM_HIT_H_
#define CURLEW_TEST_PROTO_UTILS_RANDOM_HIT_H_

#include <limits>
#include <string>
#include <vector>

#include "engine/search/hit.h"
#include "test/support/random.h"

namespace curlew::test {

// A hit with the memory its views point into. Not to be moved after MakeHit.
struct OwnedHit {
  std::string index, id, routing, source;
  std::vector<search::SortValue> sort;
  search::Hit hit;
};

// Numbers near the borders of the encoding as often as any others.
inline int64_t RandomNumber(Random& random) {
  switch (random.Between(0, 3)) {
    case 0:
      return random.Between(0, 300);
    case 1:
      return random.Between(-3, 3);
    case 2:
      return static_cast<int64_t>(random.engine()());
    default:
      return random.OneIn(2) ? std::numeric_limits<int64_t>::max()
                             : std::numeric_limits<int64_t>::min();
  }
}

inline search::SortValue RandomSortValue(Random& random) {
  switch (random.Between(0, 6)) {
    case 0:
      return std::monostate();
    case 1:
      return static_cast<int32_t>(RandomNumber(random));
    case 2:
      return RandomNumber(random);
    case 3:
      return static_cast<uint64_t>(RandomNumber(random));
    case 4:
      return random.OneIn(3) ? std::numeric_limits<float>::infinity()
                             : static_cast<float>(random.Unit());
    case 5:
      return random.OneIn(3) ? 0.0 : random.Unit() - 0.5;
    default:
      return random.Word(0, random.OneIn(4) ? 300 : 12);
  }
}

// Every field is there or not, empty or long.
inline void MakeHit(Random& random, OwnedHit& out) {
  const auto length = [&random] {
    return static_cast<int>(random.OneIn(20) ? 20000 : random.OneIn(3) ? 200 : 12);
  };
  out.index = random.Word(1, 40);
  out.id = random.Word(1, random.OneIn(5) ? 512 : 24);
  out.hit = search::Hit();
  out.hit.index = out.index;
  out.hit.id = out.id;
  if (random.OneIn(3)) {
    out.routing = random.Word(1, length());
    out.hit.routing = out.routing;
  }
  if (!random.OneIn(3)) out.hit.score = random.OneIn(4) ? 0.0 : random.Unit() * 20;
  if (random.OneIn(2)) out.hit.version = RandomNumber(random);
  if (random.OneIn(2)) out.hit.seq_no = RandomNumber(random);
  if (random.OneIn(2)) out.hit.primary_term = RandomNumber(random);
  if (!random.OneIn(4)) {
    out.source = random.Bytes(0, length());
    out.hit.source = out.source;
  }
  out.sort.clear();
  if (random.OneIn(2)) {
    out.sort.resize(random.Between(1, 4));
    for (auto& value : out.sort) value = RandomSortValue(random);
  }
  out.hit.sort = out.sort;
}

}  // namespace curlew::test

#endif  // CURLEW_TEST_PROTO_UTILS_RANDOM_HIT_H_
