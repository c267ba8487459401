// What the structures of a segment say of one document has to agree, and what the documents of a
// shard's segments say of each other.
#ifndef CURLEW_ENGINE_INDEX_CHECK_CHECK_DOCUMENTS_H_
#define CURLEW_ENGINE_INDEX_CHECK_CHECK_DOCUMENTS_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/codec/live_docs/live_docs.h"
#include "engine/index/segment_reader.h"
#include "engine/mapping/mapping.h"
#include "engine/store/file_problems.h"

namespace curlew::index {

// Which shard it is, as far as that is known.
struct ShardPlace {
  int shard = 0;
  int shard_count = 0;                        // of its index; 0 = not known
  const mapping::Mapping* mapping = nullptr;  // of its index; null = not known
};

// A segment that could be opened.
struct OpenedSegment {
  std::shared_ptr<const SegmentReader> reader;
  std::shared_ptr<const codec::LiveDocs> live_docs;  // null = none deleted

  bool Live(codec::DocId doc) const { return live_docs == nullptr || live_docs->Live(doc); }
};

// Every document has one id, stored as it stands among the terms, belongs to the shard, and has one
// sequence number (at most `max_seq_no`), primary term and version. Eight bytes of memory a
// document.
std::vector<store::FileProblem> CheckDocuments(const OpenedSegment& segment,
                                               const ShardPlace& place, int64_t max_seq_no);

// Fields are mapped, have the norms and points that their mapping says, and as many documents for a
// word among the terms as in the column.
std::vector<store::FileProblem> CheckFields(const OpenedSegment& segment,
                                            const mapping::Mapping* mapping);

// No two live documents of a shard share an id or a sequence number. `file` is what the problems
// are said of: that which puts the segments together.
std::vector<store::FileProblem> CheckUnique(std::span<const OpenedSegment> segments,
                                            const std::string& file);

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_CHECK_CHECK_DOCUMENTS_H_
