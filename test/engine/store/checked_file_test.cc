// A framed file is accepted whole and unchanged, or not at all.
#include "engine/store/checked_file.h"

#include <catch2/catch.hpp>
#include <string>

#include "engine/store/fault_directory.h"
#include "engine/store/memory_directory.h"
#include "engine/util/bytes.h"
#include "test/support/random.h"

namespace curlew::store {
namespace {

constexpr FileFormat kFormat{"postings", 3, 2};

void Write(Directory& directory, const std::string& name, const std::string& body,
           const FileFormat& format = kFormat, std::string_view owner = "_7") {
  auto writer = CheckedWriter::Create(directory, name, format, owner);
  REQUIRE(writer.ok());
  (*writer)->Append(body);
  REQUIRE((*writer)->Finish().ok());
}

std::string Raw(Directory& directory, const std::string& name) {
  return std::string(directory.Open(name).value()->view());
}

void WriteRaw(Directory& directory, const std::string& name, std::string_view content) {
  auto file = directory.Create(name).value();
  REQUIRE(file->Append(content).ok());
  REQUIRE(file->Close().ok());
}

std::string Message(const absl::Status& status) {
  return std::string(status.message().data(), status.message().size());
}

TEST_CASE("what was appended is found at the positions that were told") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  auto directory = NewMemoryDirectory();
  for (int round = 0; round < 30; ++round) {
    auto writer = CheckedWriter::Create(*directory, "f", kFormat, "owner").value();
    const uint64_t body = writer->position();
    std::vector<std::pair<uint64_t, std::string>> parts;
    for (int64_t n = random.Between(0, 12); n > 0; --n) {
      if (random.OneIn(3)) {
        const uint32_t alignment = 1u << random.Between(0, 8);
        const uint64_t before = writer->position();
        writer->Align(alignment);
        REQUIRE(writer->position() % alignment == 0);
        REQUIRE(writer->position() - before < alignment);
      }
      // Around the size of the writer's buffer, too.
      parts.emplace_back(writer->position(),
                         random.OneIn(4) ? random.Bytes(60000, 140000) : random.Bytes(0, 300));
      writer->Append(parts.back().second);
      REQUIRE(writer->position() == parts.back().first + parts.back().second.size());
    }
    const uint64_t end = writer->position();
    REQUIRE(writer->Finish(random.OneIn(2)).ok());
    for (const bool verify : {true, false}) {
      const CheckedFile file = CheckedFile::Open(*directory, "f", kFormat, "owner", verify).value();
      CHECK(file.version() == 3);
      CHECK(file.name() == "f");
      CHECK(file.body() == body);
      CHECK(file.bytes().size() == end);
      for (const auto& [at, bytes] : parts) REQUIRE(file.bytes().substr(at, bytes.size()) == bytes);
    }
  }
}

TEST_CASE("a copy keeps the bytes alive") {
  auto directory = NewMemoryDirectory();
  Write(*directory, "f", "body");
  CheckedFile copy;
  {
    const CheckedFile file = CheckedFile::Open(*directory, "f", kFormat, "_7").value();
    copy = file;
    REQUIRE(directory->Delete("f").ok());
  }
  CHECK(copy.bytes().substr(copy.body()) == "body");
}

TEST_CASE("no flipped bit is accepted") {
  auto directory = NewMemoryDirectory();
  Write(*directory, "f", "some content of the file");
  const std::string good = Raw(*directory, "f");
  for (size_t i = 0; i < good.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ (1 << bit));
      WriteRaw(*directory, "f", bad);
      const absl::Status status = CheckedFile::Open(*directory, "f", kFormat, "_7").status();
      REQUIRE(status.code() == absl::StatusCode::kDataLoss);
      REQUIRE_THAT(Message(status), Catch::Contains("memory:/f"));
      // Without the checksum the header and the footer are still read safely.
      CheckedFile::Open(*directory, "f", kFormat, "_7", false).status().IgnoreError();
    }
  }
}

TEST_CASE("no truncation and no extension is accepted, also without the checksum") {
  auto directory = NewMemoryDirectory();
  Write(*directory, "f", "some content of the file");
  const std::string good = Raw(*directory, "f");
  for (const bool verify : {true, false}) {
    for (size_t length = 0; length < good.size(); ++length) {
      WriteRaw(*directory, "f", std::string_view(good).substr(0, length));
      REQUIRE(CheckedFile::Open(*directory, "f", kFormat, "_7", verify).status().code() ==
              absl::StatusCode::kDataLoss);
    }
    for (size_t more = 1; more < 40; ++more) {
      WriteRaw(*directory, "f", good + std::string(more, '\0'));
      REQUIRE_FALSE(CheckedFile::Open(*directory, "f", kFormat, "_7", verify).ok());
    }
  }
  WriteRaw(*directory, "f", good);
  CHECK(CheckedFile::Open(*directory, "f", kFormat, "_7").ok());
}

TEST_CASE("random bytes are not accepted and do no harm") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  auto directory = NewMemoryDirectory();
  Write(*directory, "f", "some content");
  const std::string good = Raw(*directory, "f");
  for (int round = 0; round < 3000; ++round) {
    std::string bad = random.OneIn(2) ? random.Bytes(0, 80) : good;
    for (int64_t n = random.Between(1, 4); n > 0 && !bad.empty(); --n) {
      bad[static_cast<size_t>(random.Between(0, static_cast<int64_t>(bad.size()) - 1))] =
          static_cast<char>(random.Between(0, 255));
    }
    if (bad == good) continue;
    WriteRaw(*directory, "f", bad);
    REQUIRE_FALSE(CheckedFile::Open(*directory, "f", kFormat, "_7").ok());
    CheckedFile::Open(*directory, "f", kFormat, "_7", false).status().IgnoreError();
  }
}

TEST_CASE("another format, owner or version is refused and named") {
  auto directory = NewMemoryDirectory();
  Write(*directory, "f", "body");
  const auto open = [&](const FileFormat& format, std::string_view owner) {
    const absl::Status status = CheckedFile::Open(*directory, "f", format, owner).status();
    CHECK(status.code() == absl::StatusCode::kDataLoss);
    return Message(status);
  };
  CHECK_THAT(open({"norms", 3, 2}, "_7"), Catch::Contains("[postings]"));
  CHECK_THAT(open(kFormat, "_8"), Catch::Contains("[_7]") && Catch::Contains("[_8]"));
  CHECK_THAT(open({"postings", 2, 1}, "_7"), Catch::Contains("newer"));
  CHECK_THAT(open({"postings", 5, 4}, "_7"), Catch::Contains("older"));
  CHECK(CheckedFile::Open(*directory, "f", {"postings", 9, 3}, "_7").ok());
  CHECK(CheckedFile::Open(*directory, "lost", kFormat, "_7").status().code() ==
        absl::StatusCode::kNotFound);
}

TEST_CASE("the bytes of the frame are the documented ones") {
  auto directory = NewMemoryDirectory();
  Write(*directory, "f", "body", {"ab", 258, 1}, "xyz");
  const std::string raw = Raw(*directory, "f");
  const std::string head(
      "CRLW\x02"
      "ab\x02\x01\x00\x00\x03"
      "xyz"
      "body",
      19);
  REQUIRE(raw.size() == head.size() + 16);
  CHECK(raw.substr(0, head.size()) == head);
  ByteReader footer(std::string_view(raw).substr(head.size()));
  CHECK(footer.Fixed32() == ~0x574c5243u);
  CHECK(footer.Fixed64() == head.size());
}

TEST_CASE("the first error of a writer is kept, wherever it strikes") {
  for (int64_t fail_at = 1;; ++fail_at) {
    auto memory = NewMemoryDirectory();
    auto plan = std::make_shared<FaultPlan>();
    plan->fail_at = fail_at;
    auto faulty = NewFaultDirectory(memory, plan);
    auto writer = CheckedWriter::Create(*faulty, "f", kFormat, "_7");
    absl::Status status = writer.status();
    if (writer.ok()) {
      for (int i = 0; i < 5; ++i) (*writer)->Append(std::string(50000, 'x'));
      status = (*writer)->Finish(true);
    }
    if (plan->operations < fail_at) {
      REQUIRE(status.ok());
      CHECK(fail_at > 6);
      break;
    }
    REQUIRE(status.code() == absl::StatusCode::kInternal);
    CHECK_THAT(Message(status), Catch::Contains("at operation " + std::to_string(fail_at) + ":"));
  }
}

}  // namespace
}  // namespace curlew::store
