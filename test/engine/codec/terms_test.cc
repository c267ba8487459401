// A dictionary of any shape finds what it has, does not find what it has not, and walks in order.
#include "engine/codec/terms/terms.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/codec/terms/inverted_checker.h"
#include "engine/codec/terms/inverted_reader.h"
#include "engine/codec/terms/inverted_writer.h"
#include "engine/codec/terms/term_filter.h"
#include "engine/store/memory_directory.h"
#include "test/support/asserting_postings.h"
#include "test/support/random.h"

namespace curlew::codec {
namespace {

// Each term of a field is in the documents 0 .. its number mod 3.
void WriteField(InvertedWriter& writer, std::string_view field, const std::set<std::string>& terms,
                IndexOptions options = IndexOptions::kDocs, uint64_t filter = 0) {
  writer.StartField(field, options, {});
  if (filter > 0) writer.KeepFilter(filter);
  uint32_t number = 0;
  uint32_t docs = 0;
  for (const std::string& term : terms) {
    writer.StartTerm(term);
    const std::vector<uint32_t> positions(number % 3 + 1, number);
    for (DocId doc = 0; doc <= number % 3; ++doc) {
      writer.AddPosting(doc, number % 3 + 1, positions);
    }
    writer.FinishTerm();
    docs = std::max(docs, number % 3 + 1);
    ++number;
  }
  writer.FinishField(docs);
}

struct Fixture {
  explicit Fixture(std::set<std::string> terms, IndexOptions options = IndexOptions::kDocs,
                   uint64_t filter = 0)
      : terms(terms.begin(), terms.end()), directory(store::NewMemoryDirectory()) {
    auto writer = InvertedWriter::Create(*directory, "_0").value();
    WriteField(*writer, "f", terms, options, filter);
    REQUIRE(writer->Finish().ok());
    reader = InvertedReader::Open(*directory, "_0", 3).value();
    field = reader->Field("f");
  }

  std::vector<std::string> terms;
  std::shared_ptr<store::Directory> directory;
  std::unique_ptr<InvertedReader> reader;
  const FieldTerms* field = nullptr;
};

std::set<std::string> RandomTerms(test::Random& random, size_t count, int shape) {
  std::set<std::string> terms;
  while (terms.size() < count) {
    switch (shape) {
      case 0:  // like ids
        terms.insert("doc-" + std::to_string(random.Between(0, 10'000'000)));
        break;
      case 1:  // any bytes, short: the empty term and prefixes of each other
        terms.insert(random.Bytes(0, 3));
        break;
      case 2:  // long, with long common prefixes
        terms.insert(std::string(static_cast<size_t>(random.Between(0, 300)), 'x') +
                     random.Word(0, 2));
        break;
      default:
        terms.insert(random.Word(1, 12));
    }
  }
  return terms;
}

// Something close to one of the terms, or not.
std::string Near(test::Random& random, const std::vector<std::string>& terms) {
  std::string text = random.Pick(terms);
  switch (random.Between(0, 5)) {
    case 0:
      text += random.Bytes(1, 1);
      break;
    case 1:
      if (!text.empty()) text.pop_back();
      break;
    case 2:
      if (!text.empty()) {
        text[static_cast<size_t>(random.Between(0, static_cast<int64_t>(text.size()) - 1))] =
            static_cast<char>(random.Between(0, 255));
      }
      break;
    case 3:
      text = random.Bytes(0, 6);
      break;
    default:
      break;
  }
  return text;
}

TEST_CASE("terms battery: look-ups, walks and seeks equal a sorted set") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const int shape = GENERATE(0, 1, 2, 3);
  for (const size_t count : {1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 4095, 4096, 4097}) {
    if (shape == 2 && count > 200) continue;
    const auto options = random.Pick<IndexOptions>(
        {IndexOptions::kDocs, IndexOptions::kFreqs, IndexOptions::kPositions});
    // None, one of the right size, one that is far too small.
    const auto filter = random.Pick<uint64_t>({0, count, 1});
    INFO("shape " << shape << ", " << count << " terms, filter for " << filter);
    const Fixture fixture(RandomTerms(random, count, shape), options, filter);
    REQUIRE(fixture.field != nullptr);

    // The walk, in full.
    std::map<std::string, TermEntry> walked;
    const auto all = fixture.field->Iterate();
    size_t at = 0;
    for (; all->Next(); ++at) {
      REQUIRE(at < count);
      REQUIRE(all->term() == fixture.terms[at]);
      REQUIRE(all->entry().doc_freq == at % 3 + 1);
      const uint64_t each = options >= IndexOptions::kFreqs ? at % 3 + 1 : 1;
      REQUIRE(all->entry().total_term_freq == (at % 3 + 1) * each);
      walked[fixture.terms[at]] = all->entry();
    }
    REQUIRE(at == count);
    REQUIRE_FALSE(all->Next());
    REQUIRE_FALSE(all->corrupt());

    // Each term is found, with the same entry; strangers are not.
    const auto seeker = fixture.field->Iterate();
    const auto look = [&](const std::string& target) {
      TermEntry entry;
      const auto it = walked.lower_bound(target);
      const bool there = it != walked.end() && it->first == target;
      REQUIRE(fixture.field->Find(target, entry) == there);
      if (there) {
        REQUIRE(entry.doc_freq == it->second.doc_freq);
        REQUIRE(entry.total_term_freq == it->second.total_term_freq);
        REQUIRE(entry.postings_offset == it->second.postings_offset);
        REQUIRE(entry.single == it->second.single);
      }
      REQUIRE(seeker->SeekCeil(target) == (it != walked.end()));
      if (it != walked.end()) {
        REQUIRE(seeker->term() == it->first);
        REQUIRE(seeker->entry().postings_offset == it->second.postings_offset);
        // The walk goes on from there.
        const auto next = std::next(it);
        REQUIRE(seeker->Next() == (next != walked.end()));
        if (next != walked.end()) REQUIRE(seeker->term() == next->first);
      }
    };
    for (const std::string& term : fixture.terms) look(term);
    for (int i = 0; i < 500; ++i) look(Near(random, fixture.terms));
    look("");
    look("\xff\xff\xff\xff\xff");
    for (const auto& [term, entry] : walked) {
      const bool alone = entry.doc_freq == 1;
      REQUIRE((entry.single != kNoMoreDocs) == alone);
      test::AssertingPostings postings(fixture.field->OpenPostings(entry), options);
      for (DocId doc = 0; doc < entry.doc_freq; ++doc) REQUIRE(postings.Next() == doc);
      REQUIRE(postings.Next() == kNoMoreDocs);
    }
    REQUIRE(CheckInverted(*fixture.directory, "_0", 3).empty());
  }
}

TEST_CASE("a filter lets all of its terms through, and few others") {
  for (const uint64_t terms : {1, 5, 6, 100, 10'000}) {
    TermFilterBuilder builder;
    builder.Start(terms);
    for (uint64_t i = 0; i < terms; ++i) builder.Add("doc-" + std::to_string(i));
    REQUIRE(builder.words().size() <= terms / 5 + 1);  // twelve bits each
    const TermFilter filter(builder.words());
    for (uint64_t i = 0; i < terms; ++i) REQUIRE(filter.MayHave("doc-" + std::to_string(i)));
    int passed = 0;
    for (int i = 0; i < 10'000; ++i) passed += filter.MayHave("id-" + std::to_string(i)) ? 1 : 0;
    REQUIRE(passed < 300);
  }
  REQUIRE(TermFilter().MayHave("anything"));
}

TEST_CASE("the bits of a filter are those of the format") {
  TermFilterBuilder builder;
  builder.Start(10);
  builder.Add("a");
  builder.Add("");
  REQUIRE(std::vector<uint64_t>(builder.words().begin(), builder.words().end()) ==
          std::vector<uint64_t>{0x0210000000080004, 0x0100003080000000});
}

TEST_CASE("terms may be as long as they like") {
  std::set<std::string> terms;
  for (int i = 0; i < 100; ++i) terms.insert(std::string(32'700, 'l') + std::to_string(i));
  const Fixture fixture(terms);
  for (const std::string& term : fixture.terms) {
    TermEntry entry;
    REQUIRE(fixture.field->Find(term, entry));
    REQUIRE_FALSE(fixture.field->Find(term + "x", entry));
  }
}

TEST_CASE("fields have their own terms, options and statistics") {
  const auto directory = store::NewMemoryDirectory();
  auto writer = InvertedWriter::Create(*directory, "_0").value();
  WriteField(*writer, "", {"nameless"});
  WriteField(*writer, "a", {"x", "y", "z"}, IndexOptions::kFreqs);
  writer->StartField("b", IndexOptions::kDocs, {});  // no terms at all
  writer->FinishField(0);
  writer->StartField("c", IndexOptions::kDocs, {});  // a term without documents
  writer->StartTerm("x");
  writer->FinishTerm();
  writer->FinishField(0);
  WriteField(*writer, "d", {"x"}, IndexOptions::kPositions);
  REQUIRE(writer->Finish().ok());

  const auto reader = InvertedReader::Open(*directory, "_0", 3).value();
  REQUIRE(reader->fields() == std::vector<std::string>{"", "a", "d"});
  REQUIRE(reader->Field("b") == nullptr);
  REQUIRE(reader->Field("c") == nullptr);
  REQUIRE(reader->Field("e") == nullptr);
  REQUIRE(reader->Field("a")->options() == IndexOptions::kFreqs);
  REQUIRE(reader->Field("d")->options() == IndexOptions::kPositions);
  const FieldStats& stats = reader->Field("a")->stats();
  REQUIRE(stats.doc_count == 3);
  REQUIRE(stats.sum_doc_freq == 1 + 2 + 3);
  REQUIRE(stats.sum_total_term_freq == 1 + 4 + 9);
  TermEntry entry;
  REQUIRE_FALSE(reader->Field("d")->Find("y", entry));
  REQUIRE(CheckInverted(*directory, "_0", 3).empty());
}

TEST_CASE("a term behind damage is found, with postings that say so") {
  std::set<std::string> names;
  for (int i = 0; i < 40; ++i) names.insert("term" + std::to_string(100 + i));
  Fixture fixture(names);
  // Numbers without an end, anywhere.
  const auto files = fixture.directory->List().value();
  size_t damaged = 0;
  for (const std::string& file : files) {
    const std::string sound(fixture.directory->Open(file).value()->view());
    for (size_t at = 0; at + 12 < sound.size(); at += 3) {
      std::string bytes = sound;
      std::fill(bytes.begin() + static_cast<ptrdiff_t>(at),
                bytes.begin() + static_cast<ptrdiff_t>(at) + 12, '\xff');
      auto copy = store::NewMemoryDirectory();
      for (const std::string& other : files) {
        auto out = copy->Create(other).value();
        const auto in = fixture.directory->Open(other).value();
        REQUIRE(out->Append(other == file ? std::string_view(bytes) : in->view()).ok());
        REQUIRE(out->Close().ok());
      }
      const auto reader = InvertedReader::Open(*copy, "_0", 3, /*verify=*/false);
      if (!reader.ok()) continue;
      const FieldTerms* field = (*reader)->Field("f");
      if (field == nullptr) continue;
      TermEntry entry;
      // The last one of its block: everything before is on the way to it.
      if (!field->Find("term131", entry)) continue;
      const auto postings = field->OpenPostings(entry);
      while (postings->Next() != kNoMoreDocs) {
      }
      if (postings->corrupt()) ++damaged;
    }
  }
  CHECK(damaged > 10);
}

TEST_CASE("a segment without any field can be written and opened") {
  const auto directory = store::NewMemoryDirectory();
  auto writer = InvertedWriter::Create(*directory, "_0").value();
  REQUIRE(writer->Finish().ok());
  const auto reader = InvertedReader::Open(*directory, "_0", 0).value();
  REQUIRE(reader->fields().empty());
  REQUIRE(reader->Field("f") == nullptr);
}

TEST_CASE("fields and terms out of order are refused when the segment is finished") {
  for (const bool fields : {true, false}) {
    const auto directory = store::NewMemoryDirectory();
    auto writer = InvertedWriter::Create(*directory, "_0").value();
    WriteField(*writer, "b", {"x"});
    if (fields) {
      WriteField(*writer, "a", {"x"});
    } else {
      writer->StartField("c", IndexOptions::kDocs, {});
      for (const char* term : {"b", "a"}) {
        writer->StartTerm(term);
        writer->AddPosting(0, 1, {});
        writer->FinishTerm();
      }
      writer->FinishField(1);
    }
    REQUIRE(writer->Finish().code() == absl::StatusCode::kInternal);
  }
}

TEST_CASE("the files of another segment, or of another size, are refused") {
  const auto directory = store::NewMemoryDirectory();
  auto writer = InvertedWriter::Create(*directory, "_0").value();
  WriteField(*writer, "f", {"x", "y", "z"});
  REQUIRE(writer->Finish().ok());
  for (const char* suffix : {".terms", ".postings"}) {
    REQUIRE(directory->Rename(std::string("_0") + suffix, std::string("_1") + suffix).ok());
  }
  REQUIRE(InvertedReader::Open(*directory, "_1", 3).status().code() == absl::StatusCode::kDataLoss);
  REQUIRE_FALSE(InvertedReader::Open(*directory, "_0", 3).ok());
}

}  // namespace
}  // namespace curlew::codec
