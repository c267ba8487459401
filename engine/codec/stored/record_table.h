// Where each stored document starts in the sequence of all of them, and how it splits into id,
// routing and source: the part that both codecs share, kept outside of what is compressed.
#ifndef CURLEW_ENGINE_CODEC_STORED_RECORD_TABLE_H_
#define CURLEW_ENGINE_CODEC_STORED_RECORD_TABLE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "engine/codec/byte_width.h"
#include "engine/codec/stored/stored.h"
#include "engine/codec/types.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"

namespace curlew::codec {

// Collects the table while documents are written; 16 bytes of memory a document.
class RecordTableWriter {
 public:
  void Add(const StoredDocument& document) {
    Add(document.id.size(), document.routing.size(),
        document.id.size() + document.routing.size() + document.source.size());
  }
  // `size`: of all three parts.
  void Add(size_t id_size, size_t routing_size, uint64_t size);
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
  // Of all of them together.
  uint64_t BytesOf(std::span<const DocId> docs) const;
  // Splits the raw bytes of a document. Corruption when its sizes do not fit.
  absl::Status Split(DocId doc, std::string_view raw, StoredDocument& out) const;
  // Adds documents [first, end) as they are here to `out`. Corruption, with nothing added, when
  // their sizes do not fit.
  absl::Status CopyTo(RecordTableWriter& out, DocId first, DocId end) const;
  // Corruption when there is no such document.
  absl::Status Check(DocId doc) const { return doc < max_doc_ ? absl::OkStatus() : NoSuch(doc); }
  DocId max_doc() const { return max_doc_; }
  uint64_t raw_bytes() const { return raw_bytes_; }

 private:
  absl::Status NoSuch(DocId doc) const;
  absl::Status TooShort(DocId doc) const;

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

// Inline: the fetch phase calls them for each of 30,000 hits.

inline uint64_t RecordTable::Start(DocId doc) const {
  return doc >= max_doc_ ? raw_bytes_ : LoadWidth(starts_.data, starts_.width, doc);
}

inline RecordTable::Extent RecordTable::Of(DocId doc) const {
  if (doc >= max_doc_) return {};
  const Extent extent{Start(doc), Start(doc + 1)};
  return extent.start <= extent.end && extent.end <= raw_bytes_ ? extent : Extent{};
}

inline absl::Status RecordTable::Split(DocId doc, std::string_view raw, StoredDocument& out) const {
  const uint64_t id_size = LoadWidth(id_sizes_.data, id_sizes_.width, doc);
  const uint64_t routing_size = LoadWidth(routing_sizes_.data, routing_sizes_.width, doc);
  if (id_size > raw.size() || routing_size > raw.size() - id_size) return TooShort(doc);
  out.id = std::string_view(raw.data(), id_size);
  out.routing = std::string_view(raw.data() + id_size, routing_size);
  out.source = raw.substr(id_size + routing_size);
  return absl::OkStatus();
}

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_STORED_RECORD_TABLE_H_
