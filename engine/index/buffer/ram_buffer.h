// Documents that are not in a segment yet: everything a segment will hold, in memory.
#ifndef CURLEW_ENGINE_INDEX_BUFFER_RAM_BUFFER_H_
#define CURLEW_ENGINE_INDEX_BUFFER_RAM_BUFFER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/codec/live_docs/live_docs.h"
#include "engine/codec/stored/stored.h"
#include "engine/codec/types.h"
#include "engine/index/buffer/arena.h"
#include "engine/index/buffer/field_buffer.h"
#include "engine/index/buffer/token_streams.h"
#include "engine/mapping/document_parser.h"
#include "engine/mapping/mapping.h"

namespace curlew::index {

// What the engine itself keeps of a document.
struct DocumentMeta {
  int64_t seq_no = -1;
  int64_t primary_term = 0;
  int64_t version = 0;
};

// Filled under the shard's lock; then frozen: a flush reads it from another thread while deletions
// (and only they) go on under the lock. A deleted or replaced document stays, as deleted, so that
// it counts in the statistics as OpenSearch's do.
class RamBuffer {
 public:
  RamBuffer();

  // `document` was parsed with `mapping` and has passed CheckTerms: adding cannot fail. Everything
  // is copied.
  codec::DocId Add(const codec::StoredDocument& stored, const DocumentMeta& meta,
                   const mapping::ParsedDocument& document,
                   const std::shared_ptr<const mapping::Mapping>& mapping, TokenStreams& streams);

  // The newest document of that id, deleted or not. It also tells ids that older generations may
  // know from those that were replaced here.
  std::optional<codec::DocId> FindId(std::string_view id) const;

  // False when it was deleted before.
  bool Delete(codec::DocId doc);
  bool Live(codec::DocId doc) const { return (deleted_[doc / 64] >> (doc % 64) & 1) == 0; }
  // The deletions so far; null when there are none.
  std::shared_ptr<codec::LiveDocs> CopyLiveDocs() const;
  uint32_t deleted_count() const { return deleted_count_; }

  codec::DocId max_doc() const { return static_cast<codec::DocId>(stored_.size()); }
  const codec::StoredDocument& stored(codec::DocId doc) const { return stored_[doc]; }
  const DocumentMeta& meta(codec::DocId doc) const { return meta_[doc]; }
  // By name, in byte order; `_id` among them, the engine's columns not.
  const std::map<std::string, std::unique_ptr<FieldBuffer>, std::less<>>& fields() const {
    return fields_;
  }

  // Bytes held.
  uint64_t memory() const;

 private:
  FieldBuffer& FieldFor(const mapping::MappedField* field);

  Arena arena_;
  std::map<std::string, std::unique_ptr<FieldBuffer>, std::less<>> fields_;
  FieldBuffer* ids_;
  FieldBuffer* field_names_;
  std::vector<codec::StoredDocument> stored_;
  std::vector<DocumentMeta> meta_;
  std::vector<uint64_t> deleted_;
  uint32_t deleted_count_ = 0;
  uint64_t field_memory_ = 0;

  // Fields by their object in the mapping of the last document, which is held so that an address
  // cannot come to mean another field.
  std::shared_ptr<const mapping::Mapping> cached_mapping_;
  std::unordered_map<const mapping::MappedField*, FieldBuffer*> cache_;
  std::vector<FieldBuffer*> touched_;
};

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_BUFFER_RAM_BUFFER_H_
