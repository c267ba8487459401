// Where each stored document starts in the sequence of all of them, and how it splits into id,
// routing and source: the part that both codecs share, kept outside of what is compressed.
#ifndef CURLEW_ENGINE_CODEC_STORED_RECORD_TABLE_H_
#define CURLEW_ENGINE_CODEC_STORED_RECORD_TABLE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "engine/codec/stored/stored.h"
#include "engine/codec/types.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"

namespace curlew::codec {

// Collects the table while documents are written; 16 bytes of memory a document.
class RecordTableWriter {
 public:
  void Add(const StoredDocument& document);
  uint32_t doc_count() const { return static_cast<uint32_t>(id_sizes_.size()); }
  uint64_t raw_bytes() const { return raw_bytes_; }
  // Writes the arrays, each in the smallest width that fits, and appends where they are.
  void Write(store::CheckedWriter& out, std::string& contents) const;

 private:
  std::vector<uint64_t> starts_;
  std::vector<uint32_t> id_sizes_;
  std::vector<uint32_t> routing_sizes_;
  uint64_t raw_bytes_ = 0;
};

// The table as it lies in the mapped file. Thread-safe.
class RecordTable {
 public:
  // Offsets count from the start of the sequence of raw documents.
  struct Extent {
    uint64_t start = 0;
    uint64_t end = 0;
    uint64_t size() const { return end - start; }
  };

  absl::Status Load(const store::CheckedFile& file, ByteReader& in, DocId max_doc);

  // Of a document below max_doc; an empty extent at 0 when the table is damaged there.
  Extent Of(DocId doc) const;
  uint64_t Start(DocId doc) const;  // doc <= max_doc
  // Splits the raw bytes of a document. Corruption when its sizes do not fit.
  absl::StatusOr<StoredDocument> Split(DocId doc, std::string_view raw) const;
  DocId max_doc() const { return max_doc_; }
  uint64_t raw_bytes() const { return raw_bytes_; }

 private:
  struct Array {
    const char* data = nullptr;
    uint32_t width = 0;
  };

  DocId max_doc_ = 0;
  uint64_t raw_bytes_ = 0;
  Array starts_;
  Array id_sizes_;
  Array routing_sizes_;
  std::string file_name_;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_STORED_RECORD_TABLE_H_
