// Writes the stored documents of one segment out of those of several: chunks that stay whole are
// copied as they are, the rest is inflated and compressed again.
#ifndef CURLEW_ENGINE_CODEC_STORED_STORED_MERGE_H_
#define CURLEW_ENGINE_CODEC_STORED_STORED_MERGE_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "engine/codec/stored/stored.h"
#include "engine/codec/stored/stored_codec.h"
#include "engine/codec/types.h"
#include "engine/store/directory.h"

namespace curlew::codec {

struct StoredMergeInput {
  const StoredDocuments* documents = nullptr;
  // For each document where it goes, or kNoMoreDocs where it is left behind.
  std::span<const DocId> map;
};

// Bytes of the documents that stay, uncompressed.
uint64_t LiveRawBytes(const StoredMergeInput& input);

// Documents keep the order of the inputs. A dictionary that half of what is written was compressed
// with is used again; otherwise one is trained on documents from all over the inputs, if the codec
// has a use for it. `check` is called often; its error ends the merge. Errors: those of reading,
// writing and `check`; an unknown codec.
absl::Status MergeStoredDocuments(store::Directory& directory, const std::string& segment,
                                  const StoredFormat& format,
                                  std::span<const StoredMergeInput> inputs,
                                  const std::function<absl::Status()>& check);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_STORED_STORED_MERGE_H_
