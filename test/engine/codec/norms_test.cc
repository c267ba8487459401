// Field lengths as bytes: Lucene's table, and the file that keeps them.
#include "engine/codec/norms/norms.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "engine/codec/norms/norms_file.h"
#include "engine/store/memory_directory.h"
#include "test/support/random.h"

namespace curlew::codec {
namespace {

TEST_CASE("lengths up to 40 are exact") {
  for (uint32_t length = 0; length <= 40; ++length) {
    REQUIRE(EncodeNorm(length) == length);
    REQUIRE(DecodeNorm(static_cast<uint8_t>(length)) == length);
  }
}

// Worked out by hand from the definition: 24 free values, then bytes of an exponent above a
// mantissa of three bits, whose leading fourth bit is not kept.
TEST_CASE("longer lengths have the bytes that Lucene gives them") {
  const auto [length, byte, decoded] = GENERATE(table<uint32_t, int, uint32_t>({
      {41, 40, 40},
      {42, 41, 42},
      {43, 41, 42},
      {54, 47, 54},
      {55, 47, 54},
      {56, 48, 56},
      {59, 48, 56},
      {60, 49, 60},
      {88, 56, 88},
      {100, 57, 96},
      {152, 64, 152},
      {1'000, 87, 984},
      {10'000, 113, 9'240},
      {100'000, 140, 98'328},
      {0x7fffffff, 255, 2'013'265'944},
      {0xffffffff, 255, 2'013'265'944},
  }));
  CAPTURE(length);
  CHECK(EncodeNorm(length) == byte);
  CHECK(DecodeNorm(static_cast<uint8_t>(byte)) == decoded);
}

TEST_CASE("every byte stands for the smallest length that has it, and bytes keep the order") {
  for (int byte = 0; byte < 256; ++byte) {
    const uint32_t length = DecodeNorm(static_cast<uint8_t>(byte));
    REQUIRE(EncodeNorm(length) == byte);
    if (byte > 0) {
      REQUIRE(length > DecodeNorm(static_cast<uint8_t>(byte - 1)));
      REQUIRE(EncodeNorm(length - 1) == byte - 1);
    }
  }
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int i = 0; i < 20'000; ++i) {
    const auto length =
        static_cast<uint32_t>(random.Between(0, int64_t{1} << random.Between(1, 31)));
    const uint32_t decoded = DecodeNorm(EncodeNorm(length));
    if (decoded > length || decoded < length - length / 8) {
      REQUIRE(decoded <= length);
      REQUIRE(decoded >= length - length / 8);
    }
  }
}

TEST_CASE("norms come back as they were written") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const DocId max_doc = GENERATE(0, 1, 127, 128, 4097, 65536);
  const auto directory = store::NewMemoryDirectory();
  std::vector<std::vector<uint8_t>> fields(static_cast<size_t>(random.Between(0, 5)));
  auto writer = NormsWriter::Create(*directory, "_0", max_doc).value();
  for (size_t i = 0; i < fields.size(); ++i) {
    for (DocId doc = 0; doc < max_doc; ++doc) {
      fields[i].push_back(static_cast<uint8_t>(random.Between(0, 255)));
    }
    writer->AddField("f" + std::to_string(i), fields[i]);
  }
  REQUIRE(writer->Finish().ok());

  const auto reader = NormsReader::Open(*directory, "_0", max_doc).value();
  REQUIRE(reader->fields().size() == fields.size());
  REQUIRE(reader->Field("g") == nullptr);
  for (size_t i = 0; i < fields.size(); ++i) {
    const Norms* norms = reader->Field("f" + std::to_string(i));
    REQUIRE(norms != nullptr);
    REQUIRE(std::vector<uint8_t>(norms->bytes().begin(), norms->bytes().end()) == fields[i]);
  }
  REQUIRE(NormsReader::Open(*directory, "_0", max_doc + 1).status().code() ==
          absl::StatusCode::kDataLoss);
}

TEST_CASE("norms of the wrong number of documents are refused when the file is finished") {
  const auto directory = store::NewMemoryDirectory();
  auto writer = NormsWriter::Create(*directory, "_0", 3).value();
  writer->AddField("f", std::vector<uint8_t>{1, 2});
  REQUIRE(writer->Finish().code() == absl::StatusCode::kInternal);
}

}  // namespace
}  // namespace curlew::codec
