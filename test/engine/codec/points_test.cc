// Points of numbers and of boxes give back what brute force finds.
#include "engine/codec/points/points.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "engine/codec/columns/column_writer.h"
#include "engine/codec/points/points_checker.h"
#include "engine/codec/points/points_reader.h"
#include "engine/codec/points/points_writer.h"
#include "engine/store/memory_directory.h"
#include "test/support/random.h"

namespace curlew::codec {
namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

using Pairs = std::vector<std::pair<int64_t, DocId>>;

enum class Numbers { kAny, kSmall, kOne, kByDocument, kExtreme };

Pairs RandomPairs(Numbers kind, size_t count, DocId max_doc, bool single, test::Random& random) {
  Pairs pairs;
  for (size_t i = 0; i < count; ++i) {
    const auto doc =
        single ? static_cast<DocId>(i) : static_cast<DocId>(random.Between(0, max_doc - 1));
    int64_t value = 0;
    if (kind == Numbers::kAny) value = static_cast<int64_t>(random.engine()());
    if (kind == Numbers::kSmall) value = random.Between(-20, 20);
    if (kind == Numbers::kByDocument) value = int64_t{doc} * 3 - 100;
    if (kind == Numbers::kExtreme)
      value = random.Pick<int64_t>({kLowest, kLowest + 1, 0, kHighest});
    pairs.emplace_back(value, doc);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

TEST_CASE("points battery: numbers of every kind and count") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const size_t count = GENERATE(0, 1, 2, 511, 512, 513, 4095, 4096, 4097, 65536);
  CAPTURE(count);
  const auto directory = store::NewMemoryDirectory();
  const auto max_doc = static_cast<DocId>(std::max<size_t>(count, 1));
  std::vector<Pairs> fields;
  auto writer = PointsWriter::Create(*directory, "_0", max_doc).value();
  for (int field = 0; field < 10; ++field) {
    const Pairs& pairs = fields.emplace_back(
        RandomPairs(static_cast<Numbers>(field / 2), count, max_doc, field % 2 == 0, random));
    writer->StartNumbers("f" + std::to_string(field));
    for (const auto& [value, doc] : pairs) writer->AddNumber(value, doc);
    writer->FinishNumbers();
  }
  REQUIRE(writer->Finish().ok());
  CHECK(CheckPoints(*directory, "_0", max_doc).empty());

  const auto reader = PointsReader::Open(*directory, "_0", max_doc).value();
  for (size_t field = 0; field < fields.size(); ++field) {
    CAPTURE(field);
    const Pairs& pairs = fields[field];
    const NumberPoints* points = reader->Numbers("f" + std::to_string(field));
    REQUIRE((points == nullptr) == pairs.empty());
    if (points == nullptr) continue;
    REQUIRE(points->value_count() == pairs.size());
    std::set<DocId> docs;
    for (const auto& [value, doc] : pairs) docs.insert(doc);
    REQUIRE(points->doc_count() == docs.size());
    REQUIRE(points->single_valued() == (docs.size() == pairs.size()));

    std::array<DocId, kPointsPerLeaf> read_docs;
    std::array<int64_t, kPointsPerLeaf> read_values;
    const auto size = static_cast<int64_t>(pairs.size());
    for (int round = 0; round < 20; ++round) {
      const auto first = static_cast<uint64_t>(round == 0 ? 0 : random.Between(0, size - 1));
      const auto last = static_cast<uint64_t>(
          round == 0 ? size : random.Between(static_cast<int64_t>(first) + 1, size));
      bool same = true;
      for (uint64_t at = first; at < last;) {
        const uint32_t n = points->Read(at, last, read_docs.data(), read_values.data());
        REQUIRE(n > 0);
        REQUIRE(at + n <= last);
        for (uint32_t i = 0; i < n; ++i) {
          same = same && pairs[at + i] == std::pair(read_values[i], read_docs[i]);
        }
        at += n;
      }
      REQUIRE(same);
      const int64_t near = pairs[first].first;
      for (const int64_t value :
           {near, near == kLowest ? near : near - 1, near == kHighest ? near : near + 1, kLowest,
            kHighest, static_cast<int64_t>(random.engine()())}) {
        const auto less = [](const auto& pair, int64_t v) { return pair.first < v; };
        const auto more = [](int64_t v, const auto& pair) { return v < pair.first; };
        REQUIRE(static_cast<int64_t>(points->Below(value)) ==
                std::lower_bound(pairs.begin(), pairs.end(), value, less) - pairs.begin());
        REQUIRE(static_cast<int64_t>(points->UpTo(value)) ==
                std::upper_bound(pairs.begin(), pairs.end(), value, more) - pairs.begin());
      }
    }
  }
}

TEST_CASE("points that are misused are refused when the file is finished") {
  const auto write = [](const Pairs& pairs) {
    const auto directory = store::NewMemoryDirectory();
    auto writer = PointsWriter::Create(*directory, "_0", 10).value();
    writer->StartNumbers("n");
    for (const auto& [value, doc] : pairs) writer->AddNumber(value, doc);
    writer->FinishNumbers();
    return writer->Finish().code();
  };
  CHECK(write({{1, 1}, {1, 1}, {1, 2}, {2, 0}}) == absl::StatusCode::kOk);
  CHECK(write({{1, 1}, {0, 2}}) == absl::StatusCode::kInternal);
  CHECK(write({{1, 2}, {1, 1}}) == absl::StatusCode::kInternal);
  CHECK(write({{1, 10}}) == absl::StatusCode::kInternal);

  const auto boxes = [](uint32_t dimensions, uint32_t bytes, size_t size, DocId doc) {
    const auto directory = store::NewMemoryDirectory();
    auto writer = PointsWriter::Create(*directory, "_0", 10).value();
    writer->AddBoxes("b", dimensions, bytes, std::vector<uint8_t>(size), std::vector<DocId>{doc});
    return writer->Finish().code();
  };
  CHECK(boxes(2, 4, 8, 9) == absl::StatusCode::kOk);
  CHECK(boxes(2, 4, 9, 9) == absl::StatusCode::kInternal);
  CHECK(boxes(2, 4, 8, 10) == absl::StatusCode::kInternal);
  CHECK(boxes(9, 1, 9, 0) == absl::StatusCode::kInternal);
  CHECK(boxes(1, 17, 17, 0) == absl::StatusCode::kInternal);
  CHECK(boxes(0, 4, 0, 0) == absl::StatusCode::kInternal);
}

// Points in memory, and which lie in a box.
struct Cloud {
  uint32_t dimensions;
  uint32_t bytes;
  std::vector<uint8_t> packed;
  std::vector<DocId> docs;

  size_t size() const { return size_t{dimensions} * bytes; }
  std::vector<DocId> InBox(const std::string& low, const std::string& high) const {
    std::vector<DocId> found;
    for (size_t i = 0; i < docs.size(); ++i) {
      bool inside = true;
      for (uint32_t d = 0; d < dimensions; ++d) {
        const uint8_t* const at = &packed[i * size() + d * bytes];
        inside = inside && std::memcmp(at, &low[d * bytes], bytes) >= 0 &&
                 std::memcmp(at, &high[d * bytes], bytes) <= 0;
      }
      if (inside) found.push_back(docs[i]);
    }
    std::sort(found.begin(), found.end());
    return found;
  }
};

TEST_CASE("points battery: boxes of every shape") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const size_t count = GENERATE(1, 2, 511, 512, 513, 1024, 1025, 4097, 20000);
  const auto [dimensions, bytes] =
      GENERATE(std::pair(1u, 16u), std::pair(1u, 1u), std::pair(2u, 4u), std::pair(3u, 8u),
               std::pair(8u, 2u));
  CAPTURE(count, dimensions, bytes);
  Cloud cloud{dimensions, bytes, {}, {}};
  const bool coarse = random.OneIn(2);  // many equal points
  for (size_t i = 0; i < count; ++i) {
    for (uint32_t d = 0; d < dimensions; ++d) {
      for (uint32_t b = 0; b < bytes; ++b) {
        const bool fixed = coarse && b + 1 < bytes;
        cloud.packed.push_back(fixed ? 7
                                     : static_cast<uint8_t>(random.Between(0, coarse ? 20 : 255)));
      }
    }
    cloud.docs.push_back(static_cast<DocId>(random.Between(0, static_cast<int64_t>(count) - 1)));
  }
  const auto max_doc = static_cast<DocId>(count);
  const auto directory = store::NewMemoryDirectory();
  auto writer = PointsWriter::Create(*directory, "_0", max_doc).value();
  writer->AddBoxes("b", dimensions, bytes, cloud.packed, cloud.docs);
  writer->AddBoxes("none", dimensions, bytes, {}, {});
  REQUIRE(writer->Finish().ok());
  CHECK(CheckPoints(*directory, "_0", max_doc).empty());
  const auto reader = PointsReader::Open(*directory, "_0", max_doc).value();
  CHECK(reader->Boxes("none") == nullptr);
  CHECK(reader->Numbers("b") == nullptr);
  const BoxPoints* points = reader->Boxes("b");
  REQUIRE(points != nullptr);
  CHECK(points->value_count() == count);
  for (int round = 0; round < 12; ++round) {
    std::string low;
    std::string high;
    for (uint32_t d = 0; d < dimensions; ++d) {
      const auto corner = [&] {
        const auto i = static_cast<size_t>(random.Between(0, static_cast<int64_t>(count) - 1));
        return std::string(
            reinterpret_cast<const char*>(&cloud.packed[i * cloud.size() + d * bytes]), bytes);
      };
      std::string a = round == 0 ? std::string(bytes, '\0') : corner();
      std::string b = round == 0 ? std::string(bytes, '\xff') : corner();
      if (std::memcmp(a.data(), b.data(), bytes) > 0 && round != 1) std::swap(a, b);
      low += a;
      high += b;
    }
    BoxVisitor visitor(*points, low, high);
    REQUIRE(points->Intersect(visitor));
    std::vector<DocId> found = visitor.docs();
    std::sort(found.begin(), found.end());
    REQUIRE(found == cloud.InBox(low, high));
  }
}

TEST_CASE("points that differ from their column are reported") {
  const auto directory = store::NewMemoryDirectory();
  auto columns = ColumnWriter::Create(*directory, "_0", 2).value();
  columns->StartNumeric("n");
  columns->AddNumbers(0, std::vector<int64_t>{4});
  columns->AddNumbers(1, std::vector<int64_t>{5});
  columns->FinishNumeric();
  REQUIRE(columns->Finish().ok());
  const auto problems = [&](const Pairs& pairs) {
    auto writer = PointsWriter::Create(*directory, "_0", 2).value();
    writer->StartNumbers("n");
    for (const auto& [value, doc] : pairs) writer->AddNumber(value, doc);
    writer->FinishNumbers();
    REQUIRE(writer->Finish().ok());
    return CheckPoints(*directory, "_0", 2).size();
  };
  CHECK(problems({{4, 0}, {5, 1}}) == 0);
  CHECK(problems({{4, 0}, {6, 1}}) == 1);
  CHECK(problems({{4, 0}}) == 1);
}

}  // namespace
}  // namespace curlew::codec
