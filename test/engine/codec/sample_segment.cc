#include "test/engine/codec/sample_segment.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>

#include "engine/codec/columns/column_reader.h"
#include "engine/codec/columns/column_writer.h"
#include "engine/codec/live_docs/live_docs_file.h"
#include "engine/codec/norms/norms_file.h"
#include "engine/codec/points/points_reader.h"
#include "engine/codec/points/points_writer.h"
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
  std::vector<uint8_t> norms(max_doc);
  std::transform(lengths.begin(), lengths.end(), norms.begin(), EncodeNorm);
  CURLEW_ASSIGN_OR_RETURN(auto writer, InvertedWriter::Create(directory, segment));
  for (const auto& [field, options] :
       {std::pair{"a_docs", IndexOptions::kDocs}, std::pair{"b_freqs", IndexOptions::kFreqs},
        std::pair{"c_positions", IndexOptions::kPositions}}) {
    const bool scored = options == IndexOptions::kPositions;
    writer->StartField(field, options, scored ? norms : std::span<const uint8_t>());
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

  CURLEW_ASSIGN_OR_RETURN(auto norms_writer, NormsWriter::Create(directory, segment, max_doc));
  norms_writer->AddField("c_positions", norms);
  return norms_writer->Finish();
}

absl::Status WriteColumns(store::Directory& directory, const std::string& segment, DocId max_doc,
                          test::Random& random) {
  CURLEW_ASSIGN_OR_RETURN(auto writer, ColumnWriter::Create(directory, segment, max_doc));
  CURLEW_ASSIGN_OR_RETURN(auto points, PointsWriter::Create(directory, segment, max_doc));
  // Numbers in each coding: a table, blocks, a line.
  const std::vector<int64_t> far = {-4'000'000'000'000, 0, 5'000'000'000'000};
  for (const std::string field : {"table", "blocks", "line"}) {
    writer->StartNumeric(field);
    for (DocId doc = 0; doc < max_doc; ++doc) {
      const int64_t value = field == "table" ? random.Pick(far)
                            : field == "blocks"
                                ? (doc < max_doc / 2 ? doc : 1'000'000'000 + doc % 2)
                                : doc * 1000 + random.Between(0, 3);
      writer->AddNumbers(doc, {&value, 1});
    }
    writer->FinishNumeric();
  }
  for (const bool every : {true, false}) {
    std::vector<std::pair<int64_t, DocId>> pairs;
    writer->StartNumeric(every ? "every" : "some");
    for (DocId doc = 0; doc < max_doc; ++doc) {
      std::vector<int64_t> values(every ? 1 : random.Between(0, 3));
      for (int64_t& value : values) value = random.Between(-1000, 1000);
      std::sort(values.begin(), values.end());
      writer->AddNumbers(doc, values);
      for (const int64_t value : values) pairs.emplace_back(value, doc);
    }
    writer->FinishNumeric();
    std::sort(pairs.begin(), pairs.end());
    points->StartNumbers(every ? "every" : "some");
    for (const auto& [value, doc] : pairs) points->AddNumber(value, doc);
    points->FinishNumbers();

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
  // Enough for a tree of some leaves.
  std::vector<uint8_t> packed;
  std::vector<DocId> docs;
  for (int i = 0; i < 1200; ++i) {
    docs.push_back(static_cast<DocId>(random.Between(0, int64_t{max_doc} - 1)));
    for (int b = 0; b < 4; ++b)
      packed.push_back(static_cast<uint8_t>(random.Between(0, b % 2 == 0 ? 1 : 99)));
  }
  points->AddBoxes("boxes", 2, 2, packed, docs);
  CURLEW_RETURN_IF_ERROR(points->Finish());
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
  ColumnScratch scratch;
  std::vector<DocId> docs(max_doc);
  std::iota(docs.begin(), docs.end(), DocId{0});
  const auto every_third = [&](auto read) {
    std::vector<DocId> thirds;
    for (DocId doc = 0; doc < max_doc; doc += 3) thirds.push_back(doc);
    read(std::span<const DocId>(docs));
    read(std::span<const DocId>(thirds));
  };
  for (const std::string& field : columns->numeric_fields()) {
    const NumericColumn& column = *columns->Numeric(field);
    for (DocId doc = 0; doc < max_doc; ++doc) {
      for (const int64_t value : column.Values(doc, scratch)) sum += static_cast<uint64_t>(value);
      sum += column.Has(doc) ? 1 : 0;
    }
    std::vector<int64_t> read(max_doc);
    every_third([&](std::span<const DocId> some) {
      column.Read(some, ValuePick::kLeast, 7, read.data());
      column.Read(some, ValuePick::kGreatest, 7, read.data());
    });
    std::vector<uint64_t> bits(kColumnBlockDocs / 64);
    for (DocId doc = 0; doc < max_doc; doc += kColumnBlockDocs) {
      column.Mark(doc, std::min(kColumnBlockDocs, max_doc - doc), -5, 5, scratch, bits.data());
      sum += bits[0] + static_cast<uint64_t>(column.Block(doc / kColumnBlockDocs).min);
    }
    for (const int64_t value : read) sum += static_cast<uint64_t>(value);
  }
  for (const std::string& field : columns->ordinal_fields()) {
    const OrdinalColumn& column = *columns->Ordinals(field);
    std::vector<uint32_t> counts(column.value_count());
    for (DocId doc = 0; doc < max_doc; ++doc) {
      for (const uint32_t ordinal : column.Ordinals(doc, scratch)) {
        ++counts[ordinal];
        for (const char c : column.Value(ordinal)) sum += static_cast<uint8_t>(c);
      }
    }
    sum += column.LowerBound("green");
    std::vector<uint32_t> read(max_doc);
    every_third([&](std::span<const DocId> some) {
      column.Read(some, ValuePick::kGreatest, read.data());
      column.Count(some, scratch, counts.data());
    });
    for (uint32_t ordinal = 0; ordinal < column.value_count(); ++ordinal) {
      sum += counts[ordinal] + static_cast<uint64_t>(column.DocCountOf(ordinal));
    }
  }
  return Touched(sum);
}

// Sums up what it sees, and looks whether documents are the segment's.
class SumVisitor : public PointVisitor {
 public:
  SumVisitor(DocId max_doc, uint8_t limit) : max_doc_(max_doc), limit_(limit) {}
  Relation Compare(const uint8_t* min, const uint8_t* max) override {
    if (min[0] > limit_) return Relation::kOutside;
    return max[0] <= limit_ ? Relation::kInside : Relation::kCrosses;
  }
  void VisitInside(std::span<const DocId> docs) override {
    for (const DocId doc : docs) Visit(doc, nullptr);
  }
  void Visit(DocId doc, const uint8_t* point) override {
    sum_ += doc + (point != nullptr ? point[3] : 1);
    sound_ = sound_ && doc < max_doc_;
  }
  uint64_t sum() const { return sum_; }
  bool sound() const { return sound_; }

 private:
  const DocId max_doc_;
  const uint8_t limit_;
  uint64_t sum_ = 0;
  bool sound_ = true;
};

absl::Status ReadPoints(store::Directory& directory, const std::string& segment, DocId max_doc,
                        bool verify) {
  CURLEW_ASSIGN_OR_RETURN(const auto reader,
                          PointsReader::Open(directory, segment, max_doc, verify));
  uint64_t sum = 0;
  absl::Status status;
  std::vector<DocId> docs(kPointsPerLeaf);
  std::vector<int64_t> values(kPointsPerLeaf);
  for (const std::string& field : reader->number_fields()) {
    const NumberPoints& points = *reader->Numbers(field);
    for (const int64_t value : {-1000, -5, 5, 1000}) {
      sum += points.Below(value) + points.UpTo(value);
      if (points.UpTo(value) > points.value_count()) return absl::InternalError("too many points");
    }
    for (uint64_t at = 0; at < points.value_count();) {
      const uint32_t count = points.Read(at, points.value_count(), docs.data(), values.data());
      for (uint32_t i = 0; i < count; ++i) {
        sum += docs[i] + static_cast<uint64_t>(values[i]);
        if (docs[i] >= max_doc) return absl::InternalError("a document beyond the last");
      }
      at += count;
    }
  }
  for (const std::string& field : reader->box_fields()) {
    const BoxPoints& points = *reader->Boxes(field);
    // A damaged count of bytes would make the visitor look beyond a point.
    if (points.dimensions() * points.dimension_bytes() != 4) return Corruption("other boxes");
    for (const uint8_t limit : {0, 1, 255}) {
      SumVisitor visitor(max_doc, limit);
      if (!points.Intersect(visitor)) status.Update(Corruption("a tree is damaged"));
      if (!visitor.sound()) return absl::InternalError("a document beyond the last");
      sum += visitor.sum();
    }
  }
  status.Update(Touched(sum));
  return status;
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
  if (file.ends_with(".points")) return ReadPoints(directory, segment, max_doc, verify);
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
