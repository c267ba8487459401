// Reads the postings of a term from the mapped file.
#ifndef CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_READER_H_
#define CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_READER_H_

#include <memory>
#include <string_view>

#include "engine/codec/postings/postings.h"
#include "engine/codec/types.h"

namespace curlew::codec {

// `file` is all of a postings file (CheckedFile::bytes()) and must outlive the result. `entry`
// comes from the dictionary; whatever it or the file says, nothing outside of `file` is read, and
// the documents that come out ascend and are below `max_doc`.
std::unique_ptr<Postings> ReadPostings(std::string_view file, IndexOptions options, DocId max_doc,
                                       const TermEntry& entry);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_READER_H_
