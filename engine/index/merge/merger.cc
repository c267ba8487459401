#include "engine/index/merge/merger.h"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "engine/codec/stored/stored_merge.h"
#include "engine/index/merge/merge_parts.h"
#include "engine/index/segment_files.h"
#include "engine/util/error.h"

namespace curlew::index {

using codec::DocId;

absl::Status MergeJob::CheckAbort() const {
  return abort.load(std::memory_order_relaxed) ? Cancelled() : absl::OkStatus();
}

absl::Status MergeJob::Damaged(size_t input, std::string_view what) const {
  return Corruption(fmt::format("{} in segment {} of {} are damaged", what,
                                inputs[input].reader->info().name, directory.path()));
}

DocId MapDocuments(std::span<const MergeInput> inputs, DocumentMap& map) {
  DocId next = 0;
  map.resize(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const DocId count = inputs[i].reader->max_doc();
    const codec::LiveDocs* live = inputs[i].live_docs.get();
    map[i].assign(count, codec::kNoMoreDocs);
    for (DocId doc = 0; doc < count; ++doc) {
      if (live == nullptr || live->Live(doc)) map[i][doc] = next++;
    }
  }
  return next;
}

absl::Status MergeStored(const MergeJob& job, const codec::StoredFormat& stored) {
  std::vector<codec::StoredMergeInput> inputs;
  for (size_t i = 0; i < job.inputs.size(); ++i) {
    inputs.push_back({&job.inputs[i].reader->stored(), job.map[i]});
  }
  return codec::MergeStoredDocuments(job.directory, job.name, stored, inputs,
                                     [&job] { return job.CheckAbort(); });
}

absl::StatusOr<SegmentInfo> MergeSegments(store::Directory& directory, const std::string& name,
                                          std::span<const MergeInput> inputs,
                                          const DocumentMap& map, DocId max_doc,
                                          const codec::StoredFormat& stored,
                                          const std::atomic<bool>& abort) {
  const MergeJob job{directory, name, inputs, map, max_doc, abort};
  CURLEW_RETURN_IF_ERROR(MergeInverted(job));
  CURLEW_RETURN_IF_ERROR(MergeColumns(job));
  CURLEW_RETURN_IF_ERROR(MergePoints(job));
  CURLEW_RETURN_IF_ERROR(MergeNorms(job));
  CURLEW_RETURN_IF_ERROR(MergeStored(job, stored));
  SegmentInfo info;
  info.name = name;
  info.max_doc = max_doc;
  info.stored_codec = stored.codec;
  CURLEW_ASSIGN_OR_RETURN(info.size_bytes, BytesOfSegment(directory, name));
  return info;
}

}  // namespace curlew::index
