#include "engine/index/buffer/ram_buffer.h"

#include <algorithm>
#include <utility>

namespace curlew::index {

namespace {

using codec::DocId;
using mapping::FieldKind;

// As Lucene's BooleanFieldMapper spells them.
std::string_view BooleanTerm(int64_t number) { return number != 0 ? "T" : "F"; }

}  // namespace

RamBuffer::RamBuffer() {
  auto ids =
      std::make_unique<FieldBuffer>(std::string(mapping::kIdField), codec::IndexOptions::kDocs,
                                    false, FieldBuffer::Column::kNone, arena_);
  ids_ = ids.get();
  auto field_names = std::make_unique<FieldBuffer>(std::string(mapping::kFieldNamesField),
                                                   codec::IndexOptions::kDocs, false,
                                                   FieldBuffer::Column::kNone, arena_);
  field_names_ = field_names.get();
  field_memory_ = ids_->memory() + field_names_->memory();
  fields_.emplace(ids_->path(), std::move(ids));
  fields_.emplace(field_names_->path(), std::move(field_names));
}

FieldBuffer& RamBuffer::FieldFor(const mapping::MappedField* field) {
  FieldBuffer*& cached = cache_[field];
  if (cached == nullptr) {
    auto it = fields_.find(field->path);
    if (it == fields_.end()) {
      it = fields_.emplace(field->path, std::make_unique<FieldBuffer>(*field, arena_)).first;
      field_memory_ += it->second->memory();
    }
    cached = it->second.get();
  }
  return *cached;
}

DocId RamBuffer::Add(const codec::StoredDocument& stored, const DocumentMeta& meta,
                     const mapping::ParsedDocument& document,
                     const std::shared_ptr<const mapping::Mapping>& mapping,
                     TokenStreams& streams) {
  if (mapping != cached_mapping_) {
    cache_.clear();
    cached_mapping_ = mapping;
  }
  const DocId doc = max_doc();
  touched_.clear();
  for (const mapping::FieldValue& value : document.values) {
    FieldBuffer& field = FieldFor(value.field);
    if (!field.open) {
      field.open = true;
      field_memory_ -= field.memory();
      touched_.push_back(&field);
    }
    switch (value.field->kind) {
      case FieldKind::kText:
        if (value.field->analyzer == nullptr) break;
        field.AddText(doc, value.bytes,
                      static_cast<uint32_t>(std::max(0, value.field->position_increment_gap)),
                      streams.Get(*value.field->analyzer));
        break;
      case FieldKind::kKeyword:
        field.AddTerm(doc, value.bytes);
        break;
      case FieldKind::kBoolean:
        if (value.field->has_terms()) field.AddTerm(doc, BooleanTerm(value.number));
        field.AddNumber(doc, value.number);
        break;
      default:
        field.AddNumber(doc, value.number);
        break;
    }
  }
  field_memory_ -= ids_->memory();
  touched_.push_back(ids_);
  ids_->AddTerm(doc, stored.id);
  bool empty_texts = false;
  for (FieldBuffer* field : touched_) {
    if (field->FinishDocument()) {
      if (!empty_texts) field_memory_ -= field_names_->memory();
      empty_texts = true;
      field_names_->AddTerm(doc, field->path());
    }
    field->open = false;
    field_memory_ += field->memory();
  }
  if (empty_texts) {
    field_names_->FinishDocument();
    field_memory_ += field_names_->memory();
  }

  char* record = arena_.Allocate(stored.id.size() + stored.routing.size() + stored.source.size());
  auto keep = [&record](std::string_view text) {
    std::copy(text.begin(), text.end(), record);
    std::string_view kept(record, text.size());
    record += text.size();
    return kept;
  };
  stored_.push_back({keep(stored.id), keep(stored.routing), keep(stored.source)});
  meta_.push_back(meta);
  if (doc % 64 == 0) deleted_.push_back(0);
  return doc;
}

std::optional<DocId> RamBuffer::FindId(std::string_view id) const {
  const BufferedTerm* term = ids_->terms().Find(id);
  if (term == nullptr) return std::nullopt;
  return term->last_doc;
}

bool RamBuffer::Delete(DocId doc) {
  if (!Live(doc)) return false;
  deleted_[doc / 64] |= uint64_t{1} << (doc % 64);
  ++deleted_count_;
  return true;
}

std::shared_ptr<codec::LiveDocs> RamBuffer::CopyLiveDocs() const {
  if (deleted_count_ == 0) return nullptr;
  auto live = std::make_shared<codec::LiveDocs>(max_doc());
  for (size_t w = 0; w < deleted_.size(); ++w) {
    for (uint64_t bits = deleted_[w]; bits != 0; bits &= bits - 1) {
      live->Delete(static_cast<DocId>(w * 64 + static_cast<size_t>(std::countr_zero(bits))));
    }
  }
  return live;
}

uint64_t RamBuffer::memory() const {
  return arena_.allocated() + field_memory_ + stored_.capacity() * sizeof(codec::StoredDocument) +
         meta_.capacity() * sizeof(DocumentMeta) + deleted_.capacity() * sizeof(uint64_t);
}

}  // namespace curlew::index
