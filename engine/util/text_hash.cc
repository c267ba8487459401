#include "engine/util/text_hash.h"

#include <random>

namespace curlew {

uint64_t TextHashSeed() {
  static const uint64_t seed = (uint64_t{std::random_device{}()} << 32) | std::random_device{}();
  return seed;
}

}  // namespace curlew
