#include "test/engine/codec/sample_segment.h"

#include <algorithm>
#include <map>

#include "engine/codec/columns/column_reader.h"
#include "engine/codec/columns/column_writer.h"
#include "engine/codec/live_docs/live_docs_file.h"
#include "engine/codec/norms/norms_file.h"
#include "engine/codec/stored/stored_codec.h"
#include "engine/codec/terms/inverted_reader.h"
#include "engine/codec/terms/inverted_writer.h"
#include "engine/util/error.h"
#include "test/engine/codec/stored_documents.h"

namespace curlew::codec {
namespace {

using PositionsByDoc = std::map<DocId, std::vector<uint32_t>>;

absl::Status WriteInverted(store::Directory& directory, const std::string& segment, DocId max_doc,
                           test::Random& random) {
  std::map<std::string, PositionsByDoc> terms;
  std::vector<uint32_t> lengths(max_doc);
  for (DocId doc = 0; doc < max_doc; ++doc) {
    for (int64_t n = random.Between(1, 20); n > 0; --n) {
      // One letter gives terms of several blocks, three letters many terms.
      terms[random.Word(1, random.OneIn(3) ? 3 : 1)][doc].push_back(lengths[doc]++);
    }
  }
  CURLEW_ASSIGN_OR_RETURN(auto writer, InvertedWriter::Create(directory, segment));
  for (const auto& [field, options] :
       {std::pair{"a_docs", IndexOptions::kDocs}, std::pair{"b_freqs", IndexOptions::kFreqs},
        std::pair{"c_positions", IndexOptions::kPositions}}) {
    writer->StartField(field, options);
    for (const auto& [term, docs] : terms) {
      writer->StartTerm(term);
      for (const auto& [doc, positions] : docs) {
        writer->AddPosting(doc, static_cast<uint32_t>(positions.size()), positions);
      }
      writer->FinishTerm();
    }
    writer->FinishField(max_doc);
  }
  CURLEW_RETURN_IF_ERROR(writer->Finish());

  std::vector<uint8_t> norms(max_doc);
  std::transform(lengths.begin(), lengths.end(), norms.begin(), EncodeNorm);
  CURLEW_ASSIGN_OR_RETURN(auto norms_writer, NormsWriter::Create(directory, segment, max_doc));
  norms_writer->AddField("c_positions", norms);
  return norms_writer->Finish();
}

absl::Status WriteColumns(store::Directory& directory, const std::string& segment, DocId max_doc,
                          test::Random& random) {
  CURLEW_ASSIGN_OR_RETURN(auto writer, ColumnWriter::Create(directory, segment, max_doc));
  for (const bool every : {true, false}) {
    writer->StartNumeric(every ? "every" : "some");
    for (DocId doc = 0; doc < max_doc; ++doc) {
      std::vector<int64_t> values(every ? 1 : random.Between(0, 3));
      for (int64_t& value : values) value = random.Between(-1000, 1000);
      std::sort(values.begin(), values.end());
      writer->AddNumbers(doc, values);
    }
    writer->FinishNumeric();

    writer->StartOrdinals(every ? "tag" : "tags");
    for (const char* value : {"", "blue", "green", "red"}) writer->AddValue(value);
    for (DocId doc = 0; doc < max_doc; ++doc) {
      std::vector<uint32_t> ordinals = {doc % 4};
      if (!every && random.OneIn(3)) ordinals = {0, 3};
      if (!every && doc > 4 && random.OneIn(3)) ordinals.clear();
      writer->AddOrdinals(doc, ordinals);
    }
    writer->FinishOrdinals();
  }
  return writer->Finish();
}

}  // namespace

absl::Status WriteSampleSegment(store::Directory& directory, const std::string& segment,
                                DocId max_doc, const std::string& stored_codec,
                                test::Random& random) {
  CURLEW_RETURN_IF_ERROR(WriteInverted(directory, segment, max_doc, random));
  CURLEW_RETURN_IF_ERROR(WriteColumns(directory, segment, max_doc, random));

  StoredPlan plan;
  if (stored_codec == "zstd") plan.dictionary = SmallDictionary();
  CURLEW_ASSIGN_OR_RETURN(auto stored,
                          StoredCodec::Find(stored_codec)->NewWriter(directory, segment, plan));
  for (DocId doc = 0; doc < max_doc; ++doc) {
    const std::string id = "id-" + std::to_string(doc);
    const std::string routing = random.OneIn(4) ? random.Word(1, 5) : "";
    const std::string source = "{\"text\":\"" + random.Word(0, 60) + "\"}";
    stored->Add({id, routing, source});
  }
  CURLEW_RETURN_IF_ERROR(stored->Finish());

  LiveDocs live_docs(max_doc);
  for (DocId doc = 0; doc < max_doc; ++doc) {
    if (random.OneIn(5)) live_docs.Delete(doc);
  }
  return WriteLiveDocs(directory, segment, kSampleGeneration, live_docs);
}

namespace {

// Moves at random and looks at everything; damaged lists must still ascend and stay below max_doc.
absl::Status ReadList(std::unique_ptr<Postings> list, DocId max_doc, int way) {
  int64_t last = -1;
  uint64_t sum = 0;
  const auto moved = [&](DocId doc) {
    if (doc == kNoMoreDocs) return true;
    const bool sound = static_cast<int64_t>(doc) > last && doc < max_doc;
    last = doc;
    sum += list->freq();
    for (const uint32_t position : list->positions()) sum += position;
    return sound;
  };
  DocId docs[50];
  uint32_t freqs[50];
  bool sound = moved(way == 1 ? list->Advance(0) : list->Next());
  while (sound && list->doc() != kNoMoreDocs) {
    if (way == 0) {
      sound = moved(list->Next());
    } else if (way == 1) {
      sound = moved(list->Advance(list->doc() + 1 + list->doc() % 200));
    } else {
      const uint32_t n = list->NextBatch(list->doc() + 100, 50, docs, freqs);
      if (n == 0) return absl::InternalError("a batch of none");
      for (uint32_t i = 1; i < n; ++i) sound = sound && docs[i - 1] < docs[i];
      sound = sound && docs[n - 1] < max_doc;
      last = docs[n - 1];
      sound = sound && moved(list->doc());
    }
  }
  if (!sound) return absl::InternalError("documents do not ascend, or are beyond the last");
  return list->corrupt() ? Corruption("a list is damaged") : absl::OkStatus();
}

absl::Status ReadTerms(const FieldTerms& field, DocId max_doc) {
  absl::Status status;
  const auto terms = field.Iterate();
  while (terms->Next()) {
    TermEntry entry;
    field.Find(terms->term(), entry);
    for (int way = 0; way < 3; ++way) {
      status.Update(ReadList(field.OpenPostings(terms->entry()), max_doc, way));
    }
  }
  if (terms->corrupt()) status.Update(Corruption("the dictionary is damaged"));
  for (const char* target : {"", "a", "m", "mm", "zzz", "~"}) {
    TermEntry entry;
    if (field.Find(target, entry)) {
      status.Update(ReadList(field.OpenPostings(entry), max_doc, 0));
    }
    const auto from = field.Iterate();
    if (from->SeekCeil(target)) from->Next();
  }
  return status;
}

absl::Status ReadInverted(store::Directory& directory, const std::string& segment, DocId max_doc,
                          bool verify) {
  CURLEW_ASSIGN_OR_RETURN(const auto inverted,
                          InvertedReader::Open(directory, segment, max_doc, verify));
  absl::Status status;
  for (const std::string& field : inverted->fields()) {
    status.Update(ReadTerms(*inverted->Field(field), max_doc));
  }
  return status;
}

// The sums keep the reads from being left out.
absl::Status Touched(uint64_t sum) {
  return sum == 0 ? Corruption("there was nothing but zeros") : absl::OkStatus();
}

absl::Status ReadNorms(store::Directory& directory, const std::string& segment, DocId max_doc,
                       bool verify) {
  CURLEW_ASSIGN_OR_RETURN(const auto norms, NormsReader::Open(directory, segment, max_doc, verify));
  uint64_t sum = 0;
  for (const std::string& field : norms->fields()) {
    for (const uint8_t norm : norms->Field(field)->bytes()) sum += DecodeNorm(norm);
  }
  return Touched(sum);
}

absl::Status ReadColumns(store::Directory& directory, const std::string& segment, DocId max_doc,
                         bool verify) {
  CURLEW_ASSIGN_OR_RETURN(const auto columns,
                          ColumnReader::Open(directory, segment, max_doc, verify));
  uint64_t sum = 0;
  for (const std::string& field : columns->numeric_fields()) {
    for (DocId doc = 0; doc < max_doc; ++doc) {
      for (const int64_t value : columns->Numeric(field)->Values(doc)) {
        sum += static_cast<uint64_t>(value);
      }
    }
  }
  for (const std::string& field : columns->ordinal_fields()) {
    const OrdinalColumn& column = *columns->Ordinals(field);
    std::vector<uint32_t> counts(column.value_count());
    for (DocId doc = 0; doc < max_doc; ++doc) {
      for (const uint32_t ordinal : column.Ordinals(doc)) {
        ++counts[ordinal];
        for (const char c : column.Value(ordinal)) sum += static_cast<uint8_t>(c);
      }
    }
    sum += column.LowerBound("green");
  }
  return Touched(sum);
}

absl::Status ReadStored(store::Directory& directory, const std::string& segment, DocId max_doc,
                        const std::string& codec, bool verify) {
  CURLEW_ASSIGN_OR_RETURN(const auto stored,
                          StoredCodec::Find(codec)->Open(directory, segment, max_doc, verify));
  absl::Status status;
  uint64_t sum = 0;
  const auto cursor = stored->NewCursor();
  for (DocId doc = 0; doc < max_doc; ++doc) {
    sum += stored->RecordBytes({&doc, 1});
    const auto document = cursor->Read(doc);
    if (!document.ok()) {
      status.Update(document.status());
      continue;
    }
    for (const std::string_view part : {document->id, document->routing, document->source}) {
      for (const char c : part) sum += static_cast<uint8_t>(c);
    }
  }
  status.Update(Touched(sum));
  return status;
}

}  // namespace

absl::Status ReadFileOf(store::Directory& directory, const std::string& segment,
                        std::string_view file, DocId max_doc, const std::string& stored_codec,
                        bool verify) {
  if (file.ends_with(".norms")) return ReadNorms(directory, segment, max_doc, verify);
  if (file.ends_with(".columns")) return ReadColumns(directory, segment, max_doc, verify);
  if (file.ends_with(".stored")) {
    return ReadStored(directory, segment, max_doc, stored_codec, verify);
  }
  if (file.ends_with(".live")) {
    return ReadLiveDocs(directory, segment, kSampleGeneration, max_doc, verify).status();
  }
  return ReadInverted(directory, segment, max_doc, verify);
}

}  // namespace curlew::codec
