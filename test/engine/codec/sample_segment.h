// A small random segment with everything in it, for the tests that look at all formats at once.
#ifndef CURLEW_TEST_ENGINE_CODEC_SAMPLE_SEGMENT_H_
#define CURLEW_TEST_ENGINE_CODEC_SAMPLE_SEGMENT_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "engine/codec/types.h"
#include "engine/store/directory.h"
#include "test/support/random.h"

namespace curlew::codec {

inline constexpr uint64_t kSampleGeneration = 3;

// Writes all files of `segment`; every status on the way that is not OK is returned.
absl::Status WriteSampleSegment(store::Directory& directory, const std::string& segment,
                                DocId max_doc, const std::string& stored_codec,
                                test::Random& random);

// Opens one of the segment's files (with the ones it needs) and reads all there is to read, in
// every way there is. Returns the first error: kDataLoss for damage that was noticed, kInternal for
// a broken promise (documents that do not ascend). What is read is only touched.
absl::Status ReadFileOf(store::Directory& directory, const std::string& segment,
                        std::string_view file, DocId max_doc, const std::string& stored_codec,
                        bool verify);

}  // namespace curlew::codec

#endif  // CURLEW_TEST_ENGINE_CODEC_SAMPLE_SEGMENT_H_
