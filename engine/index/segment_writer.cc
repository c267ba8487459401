#include "engine/index/segment_writer.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/codec/columns/column_writer.h"
#include "engine/codec/norms/norms_file.h"
#include "engine/codec/points/points_writer.h"
#include "engine/codec/points/sort_numbers.h"
#include "engine/codec/stored/stored_codec.h"
#include "engine/codec/terms/inverted_writer.h"
#include "engine/index/segment_files.h"
#include "engine/util/error.h"

namespace curlew::index {

namespace {

using codec::DocId;
using codec::IndexOptions;

// The numbers of the field's terms in byte order of their text.
std::vector<uint32_t> SortTerms(const TermHash& terms) {
  // The first eight bytes as a number decide nearly always without a look at the text.
  struct Key {
    uint64_t prefix;
    uint32_t number;
  };
  const std::vector<BufferedTerm>& all = terms.terms();
  std::vector<Key> keys(all.size());
  for (uint32_t t = 0; t < all.size(); ++t) {
    keys[t] = {__builtin_bswap64(all[t].prefix), t};
  }
  std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    return all[a.number].bytes() < all[b.number].bytes();
  });
  std::vector<uint32_t> order(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) order[i] = keys[i].number;
  return order;
}

void WritePostings(const BufferedTerm& term, IndexOptions options, codec::InvertedWriter& writer,
                   std::vector<uint32_t>& positions) {
  ByteStreamReader in(term.stream);
  switch (options) {
    case IndexOptions::kNone:
      break;
    case IndexOptions::kDocs: {
      DocId doc = term.aux;
      writer.AddPosting(doc, 1, {});
      while (!in.AtEnd()) {
        doc += in.Varint();
        writer.AddPosting(doc, 1, {});
      }
      break;
    }
    case IndexOptions::kFreqs: {
      DocId doc = 0;
      while (!in.AtEnd()) {
        doc += in.Varint();
        writer.AddPosting(doc, in.AtEnd() ? term.aux : in.Varint(), {});
      }
      break;
    }
    case IndexOptions::kPositions: {
      DocId doc = 0;
      while (!in.AtEnd()) {
        doc += in.Varint();
        positions.clear();
        uint32_t position = 0;
        while (!in.AtEnd()) {
          const uint32_t gap = in.Varint();
          if (gap == 0) break;
          position += gap - 1;
          positions.push_back(position);
        }
        writer.AddPosting(doc, static_cast<uint32_t>(positions.size()), positions);
      }
      break;
    }
  }
}

// Calls `add(doc, first, last)` for each document's range of entries.
template <typename Add>
void ForEachDocument(const std::vector<DocId>& docs, Add add) {
  for (size_t i = 0; i < docs.size();) {
    size_t end = i + 1;
    while (end < docs.size() && docs[end] == docs[i]) ++end;
    add(docs[i], i, end);
    i = end;
  }
}

void WriteNumbers(const FieldBuffer& field, codec::ColumnWriter& columns) {
  columns.StartNumeric(field.path());
  std::vector<int64_t> sorted;
  ForEachDocument(field.value_docs(), [&](DocId doc, size_t first, size_t last) {
    sorted.assign(field.numbers().begin() + static_cast<ptrdiff_t>(first),
                  field.numbers().begin() + static_cast<ptrdiff_t>(last));
    if (sorted.size() > 1) std::sort(sorted.begin(), sorted.end());
    columns.AddNumbers(doc, sorted);
  });
  columns.FinishNumeric();
}

void WritePoints(const FieldBuffer& field, codec::PointsWriter& points) {
  std::vector<codec::NumberPoint> sorted;
  sorted.reserve(field.numbers().size());
  for (size_t i = 0; i < field.numbers().size(); ++i) {
    sorted.push_back({field.numbers()[i], field.value_docs()[i]});
  }
  codec::SortNumbers(sorted);
  points.StartNumbers(field.path());
  for (const codec::NumberPoint& point : sorted) points.AddNumber(point.value, point.doc);
  points.FinishNumbers();
}

void WriteOrdinals(const FieldBuffer& field, const std::vector<uint32_t>& order,
                   codec::ColumnWriter& columns) {
  columns.StartOrdinals(field.path());
  std::vector<uint32_t> ordinal_of(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) {
    ordinal_of[order[i]] = i;
    columns.AddValue(field.terms().terms()[order[i]].bytes());
  }
  std::vector<uint32_t> ordinals;
  ForEachDocument(field.value_docs(), [&](DocId doc, size_t first, size_t last) {
    ordinals.clear();
    for (size_t i = first; i < last; ++i) ordinals.push_back(ordinal_of[field.value_terms()[i]]);
    if (ordinals.size() > 1) {
      std::sort(ordinals.begin(), ordinals.end());
      ordinals.erase(std::unique(ordinals.begin(), ordinals.end()), ordinals.end());
    }
    columns.AddOrdinals(doc, ordinals);
  });
  columns.FinishOrdinals();
}

void WriteMeta(const RamBuffer& buffer, std::string_view field, int64_t DocumentMeta::*member,
               codec::ColumnWriter& columns) {
  columns.StartNumeric(field);
  for (DocId doc = 0; doc < buffer.max_doc(); ++doc) {
    const int64_t value = buffer.meta(doc).*member;
    columns.AddNumbers(doc, {&value, 1});
  }
  columns.FinishNumeric();
}

absl::Status WriteStored(store::Directory& directory, const std::string& name,
                         const RamBuffer& buffer, const codec::LiveDocs* live_docs,
                         const codec::StoredFormat& format) {
  const codec::StoredCodec* const codec = codec::StoredCodec::Find(format.codec);
  if (codec == nullptr) return IllegalArgument(fmt::format("unknown codec [{}]", format.codec));
  // Without samples: what is fresh is merged soon, a dictionary would not be worth its training.
  codec::StoredPlan plan;
  plan.level = format.level;
  CURLEW_ASSIGN_OR_RETURN(auto writer, codec->NewWriter(directory, name, plan));
  for (DocId doc = 0; doc < buffer.max_doc(); ++doc) {
    const codec::StoredDocument document = buffer.stored(doc);
    const bool live = live_docs == nullptr || live_docs->Live(doc);
    writer->Add(live ? document : codec::StoredDocument{document.id, {}, {}});
  }
  return writer->Finish();
}

}  // namespace

absl::StatusOr<SegmentInfo> WriteSegment(store::Directory& directory, const std::string& name,
                                         const RamBuffer& buffer, const codec::LiveDocs* live_docs,
                                         const codec::StoredFormat& stored) {
  const DocId max_doc = buffer.max_doc();
  CURLEW_ASSIGN_OR_RETURN(auto inverted, codec::InvertedWriter::Create(directory, name));
  CURLEW_ASSIGN_OR_RETURN(auto columns, codec::ColumnWriter::Create(directory, name, max_doc));
  CURLEW_ASSIGN_OR_RETURN(auto points, codec::PointsWriter::Create(directory, name, max_doc));
  CURLEW_ASSIGN_OR_RETURN(auto norms, codec::NormsWriter::Create(directory, name, max_doc));

  std::vector<uint32_t> positions;
  std::vector<uint8_t> norm_bytes;
  for (const auto& [path, owned] : buffer.fields()) {
    const FieldBuffer& field = *owned;
    norm_bytes.clear();
    if (!field.norm_docs().empty()) {
      norm_bytes.assign(max_doc, 0);
      for (size_t i = 0; i < field.norm_docs().size(); ++i) {
        norm_bytes[field.norm_docs()[i]] = field.norm_bytes()[i];
      }
      norms->AddField(path, norm_bytes);
    }
    std::vector<uint32_t> order;
    if (!field.terms().terms().empty()) order = SortTerms(field.terms());
    if (field.options() != IndexOptions::kNone && !order.empty()) {
      inverted->StartField(path, field.options(), norm_bytes);
      if (path == mapping::kIdField) inverted->KeepFilter(order.size());
      for (const uint32_t number : order) {
        const BufferedTerm& term = field.terms().terms()[number];
        inverted->StartTerm(term.bytes());
        WritePostings(term, field.options(), *inverted, positions);
        inverted->FinishTerm();
      }
      inverted->FinishField(field.doc_count());
    }
    if (!field.value_docs().empty()) {
      if (field.column() == FieldBuffer::Column::kNumbers) {
        WriteNumbers(field, *columns);
        if (field.points()) WritePoints(field, *points);
      } else if (field.column() == FieldBuffer::Column::kOrdinals) {
        WriteOrdinals(field, order, *columns);
      }
    }
  }
  WriteMeta(buffer, mapping::kSeqNoField, &DocumentMeta::seq_no, *columns);
  WriteMeta(buffer, mapping::kPrimaryTermField, &DocumentMeta::primary_term, *columns);
  WriteMeta(buffer, mapping::kVersionField, &DocumentMeta::version, *columns);

  CURLEW_RETURN_IF_ERROR(inverted->Finish());
  CURLEW_RETURN_IF_ERROR(columns->Finish());
  CURLEW_RETURN_IF_ERROR(points->Finish());
  CURLEW_RETURN_IF_ERROR(norms->Finish());
  CURLEW_RETURN_IF_ERROR(WriteStored(directory, name, buffer, live_docs, stored));

  SegmentInfo info;
  info.name = name;
  info.max_doc = max_doc;
  info.stored_codec = stored.codec;
  CURLEW_ASSIGN_OR_RETURN(info.size_bytes, BytesOfSegment(directory, name));
  return info;
}

}  // namespace curlew::index
