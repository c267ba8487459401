// A term's documents, in order, as query evaluation reads them. The format behind it is the
// segment's business.
#ifndef CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_H_
#define CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_H_

#include <cstdint>
#include <span>

#include "engine/codec/types.h"

namespace curlew::codec {

// Positioned before the first document when made (doc() is then undefined). One thread at a time;
// the segment must outlive it. A damaged file ends the list early and sets corrupt().
class Postings {
 public:
  virtual ~Postings() = default;

  virtual DocId doc() const = 0;
  virtual DocId Next() = 0;
  // The first document >= target (target > doc()).
  virtual DocId Advance(DocId target) = 0;
  // Occurrences in doc(); 1 when frequencies are not kept.
  virtual uint32_t freq() = 0;
  // Positions in doc(), ascending; empty when they are not kept. Valid until the next move.
  virtual std::span<const uint32_t> positions() = 0;
  // Documents in the list: the cost of walking it.
  virtual uint32_t doc_freq() const = 0;

  // Copies documents and frequencies from doc() on, while below `end` and room is left, and moves
  // past them; returns how many. After it doc() is the first one not copied (or kNoMoreDocs).
  // Call Next() once before the first batch. `freqs` may be null.
  virtual uint32_t NextBatch(DocId end, uint32_t room, DocId* docs, uint32_t* freqs) = 0;

  virtual bool corrupt() const = 0;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_H_
