// Which documents have a value, and the how-manyeth of them each one is.
#ifndef CURLEW_ENGINE_CODEC_COLUMNS_PRESENCE_H_
#define CURLEW_ENGINE_CODEC_COLUMNS_PRESENCE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/codec/columns/columns_format.h"
#include "engine/codec/types.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"

namespace curlew::codec {

// Writes to `out` which documents have a value, and what a reader has to know to `contents`. `docs`
// ascends, below `max_doc`.
void WritePresence(store::CheckedWriter& out, std::span<const DocId> docs, DocId max_doc,
                   std::string& contents);

// Valid as long as the file is mapped. Immutable. Ranks are always below count(), whatever the file
// says: damage makes documents vanish.
class Presence {
 public:
  static constexpr uint32_t kNone = 0xffffffff;

  absl::Status Load(const store::CheckedFile& file, ByteReader& in, DocId max_doc);

  uint32_t count() const { return count_; }  // documents with a value
  DocId max_doc() const { return max_doc_; }
  bool every() const { return count_ == max_doc_; }
  // kNone for a document without a value, or beyond the last.
  uint32_t Rank(DocId doc) const;
  // Documents with a value before `doc`; count() when it is beyond the last.
  uint32_t Before(DocId doc) const;
  // One rank (or kNone) a document; `docs` ascends.
  void Ranks(std::span<const DocId> docs, uint32_t* ranks) const;
  // The documents with a value in [first, last), which lie in one chunk of kPresenceDocs, appended
  // to `docs`. Returns the rank of the first; the others' follow it.
  uint32_t Collect(DocId first, DocId last, std::vector<DocId>& docs) const;

 private:
  struct Chunk {
    uint32_t rank;
    uint32_t count;
    DocId docs;             // in the chunk, with a value or not
    const uint16_t* list;   // count < kMinBitSet and < docs: the places, ascending
    const uint64_t* words;  // else, unless count == docs
    const uint16_t* ranks;  // before every kWordsPerRank words
  };

  static uint32_t RankIn(const Chunk& chunk, uint32_t place);
  // Of a bit set: bits before `place`.
  static uint32_t SetBefore(const Chunk& chunk, uint32_t place);

  DocId max_doc_ = 0;
  uint32_t count_ = 0;
  std::vector<Chunk> chunks_;  // empty when every()
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_COLUMNS_PRESENCE_H_
