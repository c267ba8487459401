#include "engine/index/buffer/field_buffer.h"

#include <algorithm>
#include <utility>

#include "engine/codec/norms/norms.h"

namespace curlew::index {

namespace {

using codec::DocId;
using codec::IndexOptions;

// Lucene's largest position (IndexWriter.MAX_POSITION).
constexpr int64_t kMaxPosition = 0x7fffffff - 128;

FieldBuffer::Column ColumnOf(const mapping::MappedField& field) {
  // A number that is indexed but has no doc values is searched by its column all the same.
  if (field.numeric()) {
    return field.doc_values || field.indexed ? FieldBuffer::Column::kNumbers
                                             : FieldBuffer::Column::kNone;
  }
  return field.kind == mapping::FieldKind::kKeyword && field.doc_values
             ? FieldBuffer::Column::kOrdinals
             : FieldBuffer::Column::kNone;
}

}  // namespace

FieldBuffer::FieldBuffer(std::string path, IndexOptions options, bool norms, Column column,
                         Arena& arena)
    : path_(std::move(path)),
      options_(options),
      norms_(norms),
      column_(column),
      arena_(&arena),
      terms_(arena) {}

FieldBuffer::FieldBuffer(const mapping::MappedField& field, Arena& arena)
    : FieldBuffer(field.path, field.has_terms() ? field.index_options : IndexOptions::kNone,
                  field.has_terms() && field.norms, ColumnOf(field), arena) {
  points_ = field.numeric() && field.indexed && !field.has_terms();
}

void FieldBuffer::StartDocument(DocId doc) {
  if (doc_ == doc) return;
  doc_ = doc;
  position_ = -1;
  length_ = 0;
  has_terms_ = false;
  has_text_ = false;
}

void FieldBuffer::AddTerm(DocId doc, std::string_view text) {
  StartDocument(doc);
  const uint32_t term = terms_.FindOrAdd(text);
  if (options_ != IndexOptions::kNone) {
    ++position_;
    ++length_;
    AddOccurrence(term, doc, static_cast<uint32_t>(std::min(position_, kMaxPosition)));
  }
  if (column_ == Column::kOrdinals) {
    value_docs_.push_back(doc);
    value_terms_.push_back(term);
  }
}

void FieldBuffer::AddNumber(DocId doc, int64_t number) {
  StartDocument(doc);
  if (column_ != Column::kNumbers) return;
  value_docs_.push_back(doc);
  numbers_.push_back(number);
}

void FieldBuffer::AddText(DocId doc, std::string_view text, uint32_t position_gap,
                          analysis::TokenStream& stream) {
  StartDocument(doc);
  if (options_ == IndexOptions::kNone) return;
  has_text_ = true;
  stream.Reset(text);
  analysis::Token token;
  while (stream.Next(token)) {
    position_ = std::clamp<int64_t>(position_ + token.position_increment, 0, kMaxPosition);
    if (token.position_increment > 0) ++length_;
    AddOccurrence(terms_.FindOrAdd(token.term), doc, static_cast<uint32_t>(position_));
  }
  position_ = std::min(position_ + stream.trailing_positions() + position_gap, kMaxPosition);
}

void FieldBuffer::AddOccurrence(uint32_t index, DocId doc, uint32_t position) {
  has_terms_ = true;
  BufferedTerm& term = terms_.term(index);
  const bool first = term.doc_freq == 0;
  const bool new_doc = first || term.last_doc != doc;
  switch (options_) {
    case IndexOptions::kNone:
      return;
    case IndexOptions::kDocs:
      if (!new_doc) return;
      if (first) {
        term.aux = doc;
      } else {
        term.stream.PutVarint(*arena_, doc - term.last_doc);
      }
      break;
    case IndexOptions::kFreqs:
      if (!new_doc) {
        ++term.aux;
        return;
      }
      if (!first) term.stream.PutVarint(*arena_, term.aux);
      term.stream.PutVarint(*arena_, first ? doc : doc - term.last_doc);
      term.aux = 1;
      break;
    case IndexOptions::kPositions:
      if (new_doc) {
        if (!first) term.stream.PutByte(*arena_, 0);
        term.stream.PutVarint(*arena_, first ? doc : doc - term.last_doc);
        term.aux = 0;
      }
      term.stream.PutVarint(*arena_, position - term.aux + 1);
      term.aux = position;
      if (!new_doc) return;
      break;
  }
  term.last_doc = doc;
  ++term.doc_freq;
}

bool FieldBuffer::FinishDocument() {
  if (!has_terms_) return std::exchange(has_text_, false);
  ++doc_count_;
  has_terms_ = false;
  if (norms_) {
    norm_docs_.push_back(doc_);
    norm_bytes_.push_back(codec::EncodeNorm(length_));
  }
  return false;
}

uint64_t FieldBuffer::memory() const {
  return sizeof(*this) + path_.capacity() + terms_.memory() +
         norm_docs_.capacity() * sizeof(DocId) + norm_bytes_.capacity() +
         value_docs_.capacity() * sizeof(DocId) + numbers_.capacity() * sizeof(int64_t) +
         value_terms_.capacity() * sizeof(uint32_t);
}

}  // namespace curlew::index
