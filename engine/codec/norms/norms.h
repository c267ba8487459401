// Field lengths, one byte a document, as Lucene encodes them (SmallFloat.intToByte4).
#ifndef CURLEW_ENGINE_CODEC_NORMS_NORMS_H_
#define CURLEW_ENGINE_CODEC_NORMS_NORMS_H_

#include <cstdint>
#include <span>

#include "engine/codec/types.h"

namespace curlew::codec {

// The byte for a field of `length` terms, and the length a byte stands for. Lengths up to 40 are
// exact, above that four significant bits are kept (Lucene's SmallFloat: 24 free values, then
// floats of 3 mantissa bits).
uint8_t EncodeNorm(uint32_t length);
uint32_t DecodeNorm(uint8_t norm);

// Thread-safe, owned by its segment.
class Norms {
 public:
  virtual ~Norms() = default;
  // One byte a document; 0 where the field has no terms.
  virtual std::span<const uint8_t> bytes() const = 0;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_NORMS_NORMS_H_
