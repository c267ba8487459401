// Every coding of a sequence gives back its values, one by one, in runs, scattered, and by range.
#include "engine/codec/columns/number_sequence.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "engine/codec/columns/numbers.h"
#include "engine/codec/sections.h"
#include "engine/store/memory_directory.h"
#include "test/support/random.h"

namespace curlew::codec {
namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();
const store::FileFormat kFormat{"sequence", 1, 1};

// A sequence in a file of its own.
struct Stored {
  std::shared_ptr<store::Directory> directory = store::NewMemoryDirectory();
  store::CheckedFile file;
  NumberSequence sequence;

  explicit Stored(const std::vector<int64_t>& values) {
    auto out = store::CheckedWriter::Create(*directory, "s", kFormat, "o").value();
    std::string contents;
    WriteSequence(*out, values, contents);
    AppendContents(*out, contents);
    REQUIRE(out->Finish().ok());
    file = store::CheckedFile::Open(*directory, "s", kFormat, "o").value();
    ByteReader in = OpenContents(file).value();
    REQUIRE(sequence.Load(file, in).ok());
    REQUIRE(in.AtEnd());
  }
};

void CheckMarks(const NumberSequence& sequence, const std::vector<int64_t>& values, size_t first,
                size_t count, int64_t low, int64_t high) {
  std::vector<uint64_t> bits((count + 63) / 64, 0xaaaa);
  sequence.Mark(first, count, low, high, bits.data());
  bool same = true;
  for (size_t i = 0; i < bits.size() * 64; ++i) {
    const bool wanted = i < count && values[first + i] >= low && values[first + i] <= high;
    same = same && (bits[i / 64] >> (i % 64) & 1) == (wanted ? 1 : 0);
  }
  CAPTURE(first, count, low, high);
  REQUIRE(same);
}

void CheckSequence(const std::vector<int64_t>& values, SequenceCodec codec, test::Random& random) {
  const Stored stored(values);
  const NumberSequence& sequence = stored.sequence;
  CHECK(static_cast<int>(sequence.codec()) == static_cast<int>(codec));
  REQUIRE(sequence.size() == values.size());
  bool same = true;
  for (size_t i = 0; i < values.size(); ++i) same = same && sequence.Get(i) == values[i];
  REQUIRE(same);

  const auto place = [&] {
    return static_cast<size_t>(random.Between(0, static_cast<int64_t>(values.size()) - 1));
  };
  for (int round = 0; round < 30; ++round) {
    const size_t first = round == 0 ? 0 : place();
    const auto count =
        round == 0
            ? values.size()
            : static_cast<size_t>(random.Between(1, static_cast<int64_t>(values.size() - first)));
    std::vector<int64_t> read(count);
    sequence.Read(first, count, read.data());
    REQUIRE(
        std::equal(read.begin(), read.end(), values.begin() + static_cast<std::ptrdiff_t>(first)));
    std::vector<uint32_t> positions(20);
    for (uint32_t& position : positions) position = static_cast<uint32_t>(place());
    std::vector<int64_t> gathered(positions.size());
    sequence.Gather(positions, gathered.data());
    for (size_t i = 0; i < positions.size(); ++i) REQUIRE(gathered[i] == values[positions[i]]);

    const auto near = [&](int64_t value) {
      const int64_t by = random.Between(-1, 1);
      if (by < 0 && value == kLowest) return value;
      if (by > 0 && value == kHighest) return value;
      return value + by;
    };
    const int64_t a = random.OneIn(8) ? kLowest : near(values[place()]);
    const int64_t b = random.OneIn(8) ? kHighest : near(values[place()]);
    CheckMarks(sequence, values, first, count, a, b);
    CheckMarks(sequence, values, first, count, std::min(a, b), std::max(a, b));
  }
}

struct Shape {
  const char* name;
  SequenceCodec codec;
  std::function<int64_t(size_t, test::Random&)> value;
};

TEST_CASE("sequences battery: every coding at every size") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const int64_t base = random.Between(-1'000'000, 1'000'000);
  const std::vector<int64_t> few = {kLowest, -77, 0, 12'345'678'901, kHighest};
  const std::vector<Shape> shapes = {
      {"one value", SequenceCodec::kConstant, [&](size_t, test::Random&) { return base; }},
      {"the greatest value", SequenceCodec::kConstant,
       [](size_t, test::Random&) { return kHighest; }},
      {"small", SequenceCodec::kPacked,
       [&](size_t i, test::Random& r) {
         return i < 2 ? base + 999 * int64_t(i) : base + r.Between(0, 999);
       }},
      {"any", SequenceCodec::kPacked,
       [](size_t i, test::Random& r) {
         return i == 0 ? kLowest : i == 1 ? kHighest : static_cast<int64_t>(r.engine()());
       }},
      {"57 bits", SequenceCodec::kPacked,
       [](size_t i, test::Random& r) {
         return i == 0 ? 0 : r.Between(int64_t{1} << 56, (int64_t{1} << 57) - 1);
       }},
      {"days in milliseconds", SequenceCodec::kPacked,
       [](size_t i, test::Random& r) {
         return 86'400'000 * (i < 2 ? int64_t(i) * 20'000 : r.Between(0, 20'000));
       }},
      {"few far apart", SequenceCodec::kTable,
       [&](size_t i, test::Random& r) { return i < 2 ? few[i * 4] : r.Pick(few); }},
      {"levels", SequenceCodec::kBlocks,
       [](size_t i, test::Random& r) {
         return (int64_t(i) / 1024 * 7919 % 13) * 1'000'000'007 + r.Between(0, 3);
       }},
      {"rising", SequenceCodec::kLinear,
       [](size_t i, test::Random& r) { return int64_t(i) * 1000 + r.Between(-3, 3); }},
      {"rising from the lowest", SequenceCodec::kLinear,
       [](size_t i, test::Random& r) { return kLowest + int64_t(i) * 1000 + r.Between(0, 3); }},
      {"falling from the highest", SequenceCodec::kLinear,
       [](size_t i, test::Random& r) { return kHighest - int64_t(i) * 1000 - r.Between(0, 3); }},
      {"falling", SequenceCodec::kLinear,
       [](size_t i, test::Random& r) { return 5 - int64_t(i) * 1000 + r.Between(-3, 3); }},
  };
  const Shape& shape = shapes[GENERATE(range(0, 12))];
  INFO(shape.name);
  for (const size_t size : {1, 2, 127, 128, 129, 1023, 1024, 1025, 4095, 4096, 4097, 65536}) {
    // What a few values are coded as is a matter of a byte more or less.
    const bool decided = size >= 4095 || shape.codec == SequenceCodec::kConstant;
    std::vector<int64_t> values(size);
    for (size_t i = 0; i < size; ++i) values[i] = shape.value(i, random);
    CAPTURE(size);
    CheckSequence(values, decided ? shape.codec : Stored(values).sequence.codec(), random);
  }
}

TEST_CASE("fractions of every size come back from a sequence") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  std::vector<int64_t> values;
  for (const double value :
       {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::lowest(), -1.5, -0.0,
        0.0, std::numeric_limits<double>::denorm_min(), 0.1, std::numeric_limits<double>::max(),
        std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    values.push_back(DoubleToSortable(value));
  }
  for (int i = 0; i < 5000; ++i) values.push_back(DoubleToSortable(random.Unit() * 360 - 180));
  CheckSequence(values, SequenceCodec::kPacked, random);
}

TEST_CASE("numbers of every width are packed and unpacked") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (uint32_t width = 0; width <= 64; ++width) {
    const uint64_t max = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
    const uint32_t packed_width = PackedWidth(max);
    CHECK(packed_width >= width);
    CHECK(IsPackedWidth(packed_width));
    std::vector<uint64_t> values(static_cast<size_t>(random.Between(1, 700)));
    for (uint64_t& value : values) value = random.OneIn(4) ? max : random.engine()() & max;
    // The sanitizer sees a read behind the end of a block of its own.
    std::string text;
    AppendPacked(values, packed_width, text);
    REQUIRE(text.size() == PackedBytes(values.size(), packed_width));
    const std::vector<char> bytes(text.begin(), text.end());
    const PackedReader reader(bytes.data(), packed_width);
    std::vector<uint64_t> read(values.size());
    reader.Read(0, values.size(), read.data());
    REQUIRE(read == values);
    const size_t from = values.size() / 3;
    reader.Read(from, values.size() - from, read.data());
    REQUIRE(
        std::equal(values.begin() + static_cast<std::ptrdiff_t>(from), values.end(), read.begin()));
    for (size_t i = 0; i < values.size(); ++i) REQUIRE(reader.Get(i) == values[i]);
  }
}

TEST_CASE("the widest kernel marks what the plain one marks") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int round = 0; round < 300; ++round) {
    std::vector<uint64_t> values(static_cast<size_t>(random.Between(1, 300)));
    const uint64_t mask = random.OneIn(2) ? 0xff : ~uint64_t{0};
    for (uint64_t& value : values) value = random.engine()() & mask;
    const uint64_t low = random.engine()() & mask;
    const uint64_t span = random.Pick<uint64_t>({0, 1, mask / 3, mask, ~uint64_t{0}});
    std::vector<uint64_t> plain((values.size() + 63) / 64, 1);
    std::vector<uint64_t> wide(plain.size(), 2);
    MarkInSpanScalar(values.data(), values.size(), low, span, plain.data());
    MarkInSpan(values.data(), values.size(), low, span, wide.data());
    REQUIRE(plain == wide);
    for (size_t i = 0; i < values.size(); ++i) {
      REQUIRE((plain[i / 64] >> (i % 64) & 1) == (values[i] - low <= span ? 1 : 0));
    }
  }
}

}  // namespace
}  // namespace curlew::codec
