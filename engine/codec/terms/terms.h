// A field's terms in one segment: exact look-up, ordered iteration, and the way to postings.
#ifndef CURLEW_ENGINE_CODEC_TERMS_TERMS_H_
#define CURLEW_ENGINE_CODEC_TERMS_TERMS_H_

#include <memory>
#include <string_view>

#include "engine/codec/postings/block_bounds.h"
#include "engine/codec/postings/dense_bits.h"
#include "engine/codec/postings/posting_blocks.h"
#include "engine/codec/postings/postings.h"
#include "engine/codec/types.h"

namespace curlew::codec {

// Walks terms in byte order. One thread at a time.
class TermIterator {
 public:
  virtual ~TermIterator() = default;
  // False at the end. Call once before the first term.
  virtual bool Next() = 0;
  // To the first term >= `target`; false when there is none.
  virtual bool SeekCeil(std::string_view target) = 0;
  virtual std::string_view term() const = 0;  // valid until the next move
  virtual const TermEntry& entry() const = 0;
  // The walk ended early because the file is damaged.
  virtual bool corrupt() const { return false; }
};

// Thread-safe; owned by its segment.
class FieldTerms {
 public:
  virtual ~FieldTerms() = default;
  virtual const FieldStats& stats() const = 0;
  virtual IndexOptions options() const = 0;
  // False when the field does not have the term. Where the dictionary is damaged on the way to it
  // nobody can tell: then it is found, and its postings are corrupt().
  virtual bool Find(std::string_view term, TermEntry& entry) const = 0;
  virtual std::unique_ptr<TermIterator> Iterate() const = 0;
  virtual std::unique_ptr<Postings> OpenPostings(const TermEntry& entry) const = 0;
  // The same block by block. False when the terms do not lie in blocks.
  virtual bool Blocks(const TermEntry& /*entry*/, PostingBlocks& /*blocks*/) const { return false; }
  // What the term's blocks can add to a score; null when that is not known. See BlockBounds.
  virtual std::shared_ptr<const BlockBounds> Bounds(const TermEntry& /*entry*/,
                                                    const PostingBlocks& /*blocks*/,
                                                    const NormFactors& /*factors*/) const {
    return nullptr;
  }
  // Memory that has been taken for Bounds and Bits, which is kept.
  virtual uint64_t heap_bytes() const { return 0; }
  // The documents of a frequent term; null when it is not frequent, or that takes too much memory.
  virtual std::shared_ptr<const DenseBits> Bits(const TermEntry& /*entry*/,
                                                const PostingBlocks& /*blocks*/) const {
    return nullptr;
  }
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_TERMS_TERMS_H_
