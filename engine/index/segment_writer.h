// Turns a RAM buffer into the files of a segment.
#ifndef CURLEW_ENGINE_INDEX_SEGMENT_WRITER_H_
#define CURLEW_ENGINE_INDEX_SEGMENT_WRITER_H_

#include <string>

#include "absl/status/statusor.h"
#include "engine/codec/live_docs/live_docs.h"
#include "engine/codec/stored/stored_codec.h"
#include "engine/index/buffer/ram_buffer.h"
#include "engine/index/segment_reader.h"
#include "engine/store/directory.h"

namespace curlew::index {

// Writes every document of `buffer`, deleted ones included, without syncing. The buffer must not be
// filled meanwhile; documents in it may be deleted. Of those that are not in `live_docs` (null =
// all are) only the id is stored: nobody reads them any more.
absl::StatusOr<SegmentInfo> WriteSegment(store::Directory& directory, const std::string& name,
                                         const RamBuffer& buffer, const codec::LiveDocs* live_docs,
                                         const codec::StoredFormat& stored);

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_SEGMENT_WRITER_H_
