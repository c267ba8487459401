// The postings of a term whose one document stands in the dictionary.
#ifndef CURLEW_ENGINE_CODEC_POSTINGS_SINGLE_POSTING_H_
#define CURLEW_ENGINE_CODEC_POSTINGS_SINGLE_POSTING_H_

#include <memory>

#include "engine/codec/postings/postings.h"
#include "engine/codec/types.h"

namespace curlew::codec {

// `doc` once, without positions.
std::unique_ptr<Postings> NewSinglePosting(DocId doc);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POSTINGS_SINGLE_POSTING_H_
