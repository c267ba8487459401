// Walks the postings of a term document by document.
#ifndef CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_READER_H_
#define CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_READER_H_

#include <memory>

#include "engine/codec/postings/posting_blocks.h"
#include "engine/codec/postings/postings.h"

namespace curlew::codec {

// The file behind `blocks` must outlive the result.
std::unique_ptr<Postings> ReadPostings(const PostingBlocks& blocks);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_READER_H_
