// Columns of every density give back each document's values.
#include "engine/codec/columns/column.h"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "engine/codec/columns/column_reader.h"
#include "engine/codec/columns/column_writer.h"
#include "engine/codec/columns/columns_checker.h"
#include "engine/codec/columns/numbers.h"
#include "engine/store/memory_directory.h"
#include "engine/store/real_directory.h"
#include "test/support/random.h"
#include "test/support/temp_folder.h"

namespace curlew::codec {
namespace {

template <typename T>
using Model = std::vector<std::vector<T>>;  // by document

// How many values the documents of a column have.
enum class Density { kNone, kOne, kEvery, kSome, kFew, kMany, kMixed };

size_t CountFor(Density density, DocId doc, test::Random& random) {
  switch (density) {
    case Density::kNone:
      return 0;
    case Density::kOne:
      return doc == 0;
    case Density::kEvery:
      return 1;
    case Density::kSome:
      return random.OneIn(2);
    case Density::kFew:
      return random.OneIn(500);
    case Density::kMixed:  // dense, then a bit set or list, then nothing
      return doc < 66000 ? 1 : doc < 69000 ? random.OneIn(3) : 0;
    default:
      return static_cast<size_t>(random.Between(0, 4));
  }
}

// What the numbers of a column look like: all of them decide how it is coded.
enum class Numbers { kAny, kSmall, kFew, kOne, kRising, kMultiples, kFractions };

int64_t RandomNumber(Numbers kind, DocId doc, test::Random& random) {
  constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
  constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();
  switch (kind) {
    case Numbers::kSmall:
      return random.Between(-100, 100);
    case Numbers::kFew:
      return random.Pick<int64_t>({kLowest, -1'000'000'007, 0, kHighest});
    case Numbers::kOne:
      return -5;
    case Numbers::kRising:
      return int64_t{doc} * 1000 + random.Between(0, 5);
    case Numbers::kMultiples:
      return random.Between(-1000, 1000) * 86'400'000;
    case Numbers::kFractions:
      return DoubleToSortable(random.OneIn(20) ? std::numeric_limits<double>::max()
                                               : random.Unit() * 360 - 180);
    default:
      return random.OneIn(4) ? random.Pick<int64_t>({kLowest, kHighest, -1, 0, 1})
                             : static_cast<int64_t>(random.engine()());
  }
}

// Batches, ranges and blocks against the values of the documents.
void CheckBatches(const Model<int64_t>& model, const NumericColumn& column, test::Random& random) {
  const auto max_doc = static_cast<DocId>(model.size());
  std::vector<DocId> docs;
  const int every = random.Pick<int>({1, 1, 2, 50});
  for (DocId doc = 0; doc < max_doc; ++doc) {
    if (random.OneIn(every)) docs.push_back(doc);
  }
  std::vector<int64_t> least(docs.size());
  std::vector<int64_t> greatest(docs.size());
  const int64_t missing = random.Between(-3, 3);
  column.Read(docs, ValuePick::kLeast, missing, least.data());
  column.Read(docs, ValuePick::kGreatest, missing, greatest.data());
  bool same = true;
  for (size_t i = 0; i < docs.size(); ++i) {
    const auto& values = model[docs[i]];
    same = same && least[i] == (values.empty() ? missing : values.front()) &&
           greatest[i] == (values.empty() ? missing : values.back()) &&
           column.Has(docs[i]) == !values.empty();
  }
  REQUIRE(same);

  ColumnScratch scratch;
  std::vector<int64_t> all;
  for (const auto& values : model) all.insert(all.end(), values.begin(), values.end());
  for (DocId base = 0; base < max_doc; base += kColumnBlockDocs) {
    const DocId size = std::min(kColumnBlockDocs, max_doc - base);
    const DocId first =
        random.OneIn(2) ? base : base + static_cast<DocId>(random.Between(0, size - 1));
    const auto count = static_cast<uint32_t>(random.Between(1, base + size - first));
    int64_t low = random.Pick(all);
    int64_t high = random.Pick(all);
    if (low > high) std::swap(low, high);
    std::vector<uint64_t> bits((count + 63) / 64, 0x5555);
    column.Mark(first, count, low, high, scratch, bits.data());
    for (uint32_t i = 0; i < bits.size() * 64; ++i) {
      const bool wanted =
          i < count && std::any_of(model[first + i].begin(), model[first + i].end(),
                                   [&](int64_t v) { return v >= low && v <= high; });
      same = same && (bits[i / 64] >> (i % 64) & 1) == (wanted ? 1 : 0);
    }
    int64_t min = std::numeric_limits<int64_t>::max();
    int64_t max = std::numeric_limits<int64_t>::min();
    DocId with_value = 0;
    for (DocId doc = base; doc < base + size; ++doc) {
      if (model[doc].empty()) continue;
      ++with_value;
      min = std::min(min, model[doc].front());
      max = std::max(max, model[doc].back());
    }
    const ColumnBlock block = column.Block(base / kColumnBlockDocs);
    same = same && block.none == (with_value == 0) && block.every == (with_value == size) &&
           (block.none || (block.min == min && block.max == max));
  }
  REQUIRE(same);
}

void CheckBatches(const Model<uint32_t>& model, const OrdinalColumn& column, test::Random& random) {
  const auto max_doc = static_cast<DocId>(model.size());
  std::vector<DocId> docs;
  const int every = random.Pick<int>({1, 1, 2, 50});
  for (DocId doc = 0; doc < max_doc; ++doc) {
    if (random.OneIn(every)) docs.push_back(doc);
  }
  std::vector<uint32_t> least(docs.size());
  std::vector<uint32_t> greatest(docs.size());
  column.Read(docs, ValuePick::kLeast, least.data());
  column.Read(docs, ValuePick::kGreatest, greatest.data());
  ColumnScratch scratch;
  std::vector<uint32_t> counts(column.value_count());
  column.Count(docs, scratch, counts.data());
  std::vector<uint32_t> expected(column.value_count());
  bool same = true;
  for (size_t i = 0; i < docs.size(); ++i) {
    const auto& values = model[docs[i]];
    same = same && least[i] == (values.empty() ? OrdinalColumn::kNoOrdinal : values.front()) &&
           greatest[i] == (values.empty() ? OrdinalColumn::kNoOrdinal : values.back()) &&
           column.Has(docs[i]) == !values.empty();
    for (const uint32_t ordinal : values) ++expected[ordinal];
  }
  REQUIRE(same);
  REQUIRE(counts == expected);
  std::fill(expected.begin(), expected.end(), 0);
  for (const auto& values : model) {
    for (const uint32_t ordinal : values) ++expected[ordinal];
  }
  for (uint32_t ordinal = 0; ordinal < column.value_count(); ++ordinal) {
    REQUIRE(column.DocCountOf(ordinal) == expected[ordinal]);
  }
}

template <typename T>
void CheckColumn(const Model<T>& model, auto read, uint32_t doc_count, bool single_valued) {
  uint32_t documents = 0;
  bool single = true;
  for (DocId doc = 0; doc < model.size(); ++doc) {
    const std::span<const T> values = read(doc);
    if (!std::equal(values.begin(), values.end(), model[doc].begin(), model[doc].end())) {
      REQUIRE(std::vector<T>(values.begin(), values.end()) == model[doc]);
    }
    documents += model[doc].empty() ? 0 : 1;
    single = single && model[doc].size() <= 1;
  }
  REQUIRE(doc_count == documents);
  REQUIRE(single_valued == single);
  REQUIRE(read(static_cast<DocId>(model.size())).empty());
}

void RunBattery(store::Directory& directory, DocId max_doc, test::Random& random) {
  const std::vector<Density> densities = {Density::kMany,  Density::kNone, Density::kOne,
                                          Density::kEvery, Density::kSome, Density::kFew,
                                          Density::kMixed};
  std::vector<Model<int64_t>> numbers;
  std::vector<Model<uint32_t>> ordinals;
  std::vector<std::vector<std::string>> dictionaries;
  auto writer = ColumnWriter::Create(directory, "_0", max_doc).value();
  for (size_t i = 0; i < densities.size(); ++i) {
    Model<int64_t>& column = numbers.emplace_back(max_doc);
    const auto kind = static_cast<Numbers>(random.Between(0, 6));
    writer->StartNumeric("n" + std::to_string(i));
    for (DocId doc = 0; doc < max_doc; ++doc) {
      column[doc].resize(CountFor(densities[i], doc, random));
      for (int64_t& value : column[doc]) value = RandomNumber(kind, doc, random);
      std::sort(column[doc].begin(), column[doc].end());
      if (!column[doc].empty() || random.OneIn(2)) writer->AddNumbers(doc, column[doc]);
    }
    writer->FinishNumeric();

    std::set<std::string> values;
    for (int64_t n = random.Pick<int64_t>({1, 3, 200}); n > 0; --n) {
      values.insert(random.OneIn(10) ? random.Bytes(0, 3) : random.Word(1, 10));
    }
    dictionaries.emplace_back(values.begin(), values.end());
    Model<uint32_t>& terms = ordinals.emplace_back(max_doc);
    writer->StartOrdinals("o" + std::to_string(i));
    for (const std::string& value : values) writer->AddValue(value);
    for (DocId doc = 0; doc < max_doc; ++doc) {
      std::set<uint32_t> chosen;
      for (size_t n = CountFor(densities[i], doc, random); n > 0; --n) {
        chosen.insert(
            static_cast<uint32_t>(random.Between(0, static_cast<int64_t>(values.size()) - 1)));
      }
      terms[doc].assign(chosen.begin(), chosen.end());
      writer->AddOrdinals(doc, terms[doc]);
    }
    writer->FinishOrdinals();
  }
  REQUIRE(writer->Finish().ok());

  const auto reader = ColumnReader::Open(directory, "_0", max_doc).value();
  ColumnScratch scratch;
  for (size_t i = 0; i < densities.size(); ++i) {
    INFO("density " << i);
    const std::string number_name = "n" + std::to_string(i);
    const std::string ordinal_name = "o" + std::to_string(i);
    REQUIRE(reader->Ordinals(number_name) == nullptr);
    REQUIRE(reader->Numeric(ordinal_name) == nullptr);
    const NumericColumn* column = reader->Numeric(number_name);
    std::vector<int64_t> all;
    for (const auto& values : numbers[i]) all.insert(all.end(), values.begin(), values.end());
    REQUIRE((column == nullptr) == all.empty());
    if (column != nullptr) {
      CheckColumn(
          numbers[i], [&](DocId doc) { return column->Values(doc, scratch); }, column->doc_count(),
          column->single_valued());
      REQUIRE(column->min() == *std::min_element(all.begin(), all.end()));
      REQUIRE(column->max() == *std::max_element(all.begin(), all.end()));
      CheckBatches(numbers[i], *column, random);
    }
    const OrdinalColumn* terms = reader->Ordinals(ordinal_name);
    const bool none = std::all_of(ordinals[i].begin(), ordinals[i].end(),
                                  [](const auto& values) { return values.empty(); });
    REQUIRE((terms == nullptr) == none);
    if (terms == nullptr) continue;
    CheckColumn(
        ordinals[i], [&](DocId doc) { return terms->Ordinals(doc, scratch); }, terms->doc_count(),
        terms->single_valued());
    CheckBatches(ordinals[i], *terms, random);
    const std::vector<std::string>& values = dictionaries[i];
    REQUIRE(terms->value_count() == values.size());
    for (uint32_t ordinal = 0; ordinal < values.size(); ++ordinal) {
      REQUIRE(terms->Value(ordinal) == values[ordinal]);
    }
    REQUIRE(terms->Value(terms->value_count()).empty());
    for (int n = 0; n < 50; ++n) {
      const std::string target = random.OneIn(2) ? random.Pick(values) : random.Word(0, 4);
      REQUIRE(terms->LowerBound(target) ==
              std::lower_bound(values.begin(), values.end(), target) - values.begin());
    }
  }
}

TEST_CASE("columns battery: numbers and ordinals of every density") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const DocId max_doc = GENERATE(0, 1, 2, 127, 128, 129, 4095, 4096, 4097, 65536, 70000);
  CAPTURE(max_doc);
  const auto directory = store::NewMemoryDirectory();
  RunBattery(*directory, max_doc, random);
}

TEST_CASE("columns are read from a real file as from memory") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const test::TempFolder folder;
  RunBattery(*store::OpenRealDirectory(folder.path()).value(), 1000, random);
}

// What the small sample of the damage battery has no room for: blocks, and a bit set.
TEST_CASE("a damaged larger column gives no values that are not there") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  constexpr DocId kDocs = 6000;
  const auto directory = store::NewMemoryDirectory();
  auto writer = ColumnWriter::Create(*directory, "_0", kDocs).value();
  for (const char* field : {"blocks", "several"}) {
    writer->StartNumeric(field);
    for (DocId doc = 0; doc < kDocs; ++doc) {
      const int64_t level = int64_t{doc / 1024 * 7919 % 13} * 1'000'000'007;
      if (!random.OneIn(5)) {
        writer->AddNumbers(doc, field[0] == 'b'
                                    ? std::vector<int64_t>{level + random.Between(0, 3)}
                                    : std::vector<int64_t>{level, level + random.Between(0, 3)});
      }
    }
    writer->FinishNumeric();
  }
  REQUIRE(writer->Finish().ok());
  const std::string sound(directory->Open("_0.columns").value()->view());
  std::vector<DocId> docs(kDocs);
  for (DocId doc = 0; doc < kDocs; ++doc) docs[doc] = doc;
  int opened = 0;
  for (int round = 0; round < 150; ++round) {
    std::string damaged = sound;
    const auto at = static_cast<size_t>(
        random.Between(random.OneIn(3) ? static_cast<int64_t>(sound.size()) - 200 : 0,
                       static_cast<int64_t>(sound.size()) - 9));
    damaged.replace(at, 8, random.OneIn(2) ? random.Bytes(8, 8) : std::string(8, '\xff'));
    auto file = directory->Create("_0.columns").value();
    REQUIRE(file->Append(damaged).ok());
    REQUIRE(file->Close().ok());
    const auto reader = ColumnReader::Open(*directory, "_0", kDocs, false);
    if (!reader.ok()) continue;
    ++opened;
    ColumnScratch scratch;
    std::vector<int64_t> read(kDocs);
    std::vector<uint64_t> bits(kColumnBlockDocs / 64);
    for (const std::string& field : (*reader)->numeric_fields()) {
      const NumericColumn& column = *(*reader)->Numeric(field);
      for (DocId doc = 0; doc < kDocs; ++doc)
        REQUIRE(column.Values(doc, scratch).size() <= 2 * kDocs);
      column.Read(docs, ValuePick::kGreatest, 0, read.data());
      column.Mark(0, kColumnBlockDocs, -1, 1'000'000'008, scratch, bits.data());
    }
  }
  CHECK(opened > 20);
}

TEST_CASE("columns that are misused are refused when the file is finished") {
  const auto write = [](auto use) {
    const auto directory = store::NewMemoryDirectory();
    auto writer = ColumnWriter::Create(*directory, "_0", 10).value();
    use(*writer);
    return writer->Finish();
  };
  const auto numbers = [&](std::vector<std::pair<DocId, std::vector<int64_t>>> documents) {
    return write([&](ColumnWriter& writer) {
      writer.StartNumeric("n");
      for (const auto& [doc, values] : documents) writer.AddNumbers(doc, values);
      writer.FinishNumeric();
    });
  };
  CHECK(numbers({{0, {1, 1, 2}}, {9, {1}}}).ok());
  CHECK(numbers({{1, {1}}, {0, {1}}}).code() == absl::StatusCode::kInternal);
  CHECK(numbers({{1, {1}}, {1, {1}}}).code() == absl::StatusCode::kInternal);
  CHECK(numbers({{10, {1}}}).code() == absl::StatusCode::kInternal);
  CHECK(numbers({{0, {2, 1}}}).code() == absl::StatusCode::kInternal);

  const auto ordinals = [&](std::vector<std::string> values, std::vector<uint32_t> document) {
    return write([&](ColumnWriter& writer) {
      writer.StartOrdinals("o");
      for (const std::string& value : values) writer.AddValue(value);
      writer.AddOrdinals(0, document);
      writer.FinishOrdinals();
    });
  };
  CHECK(ordinals({"a", "b"}, {0, 1}).ok());
  CHECK(ordinals({"b", "a"}, {0, 1}).code() == absl::StatusCode::kInternal);
  CHECK(ordinals({"a", "a"}, {0, 1}).code() == absl::StatusCode::kInternal);
  CHECK(ordinals({"a", "b"}, {1, 0}).code() == absl::StatusCode::kInternal);
  CHECK(ordinals({"a", "b"}, {1, 1}).code() == absl::StatusCode::kInternal);
  CHECK(ordinals({"a", "b"}, {2}).code() == absl::StatusCode::kInternal);
}

TEST_CASE("fractions keep their order as integers and come back") {
  const std::vector<double> ascending = {-std::numeric_limits<double>::infinity(),
                                         -1e300,
                                         -1.5,
                                         -std::numeric_limits<double>::denorm_min(),
                                         -0.0,
                                         0.0,
                                         std::numeric_limits<double>::denorm_min(),
                                         0.1,
                                         1e300,
                                         std::numeric_limits<double>::infinity(),
                                         std::numeric_limits<double>::quiet_NaN()};
  for (size_t i = 0; i < ascending.size(); ++i) {
    const int64_t sortable = DoubleToSortable(ascending[i]);
    CHECK(std::bit_cast<int64_t>(SortableToDouble(sortable)) ==
          std::bit_cast<int64_t>(ascending[i]));
    const auto single = static_cast<float>(ascending[i]);
    CHECK(std::bit_cast<int32_t>(SortableToFloat(FloatToSortable(single))) ==
          std::bit_cast<int32_t>(single));
    if (i == 0) continue;
    CHECK(DoubleToSortable(ascending[i - 1]) < sortable);
    CHECK(FloatToSortable(static_cast<float>(ascending[i - 1])) <= FloatToSortable(single));
  }
  CHECK(DoubleToSortable(0.0) == 0);
  CHECK(FloatToSortable(-0.0f) == -1);
}

}  // namespace
}  // namespace curlew::codec
