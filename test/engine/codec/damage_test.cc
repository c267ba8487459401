// Damaged files are refused by their checksum; and where nobody looks at the checksum, they may
// give wrong answers or errors, but no reads outside of the file (the sanitizers watch).
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "engine/store/memory_directory.h"
#include "test/engine/codec/sample_segment.h"
#include "test/engine/codec/stored_documents.h"
#include "test/support/random.h"

namespace curlew::codec {
namespace {

constexpr DocId kMaxDoc = 300;

void Replace(store::Directory& directory, const std::string& name, std::string_view content) {
  auto file = directory.Create(name).value();
  REQUIRE(file->Append(content).ok());
  REQUIRE(file->Close().ok());
}

struct Sample {
  Sample(const std::string& codec, DocId max_doc, test::Random& random)
      : directory(store::NewMemoryDirectory()), codec(codec), max_doc(max_doc) {
    REQUIRE(WriteSampleSegment(*directory, "_0", max_doc, codec, random).ok());
    names = directory->List().value();
  }
  absl::Status Read(const std::string& name, bool verify) const {
    return ReadFileOf(*directory, "_0", name, max_doc, codec, verify);
  }
  bool Sound() const {
    for (const std::string& name : names) {
      for (const bool verify : {true, false}) {
        INFO(name);
        CHECK(Read(name, verify).ok());
      }
    }
    return names.size() == 7;
  }

  std::shared_ptr<store::Directory> directory;
  std::string codec;
  DocId max_doc;
  std::vector<std::string> names;
};

TEST_CASE("a sound segment reads without an error") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (const char* codec : kStoredCodecs) {
    const Sample sample(codec, kMaxDoc, random);
    REQUIRE(sample.Sound());
  }
}

TEST_CASE("every changed byte is found by the checksum, and harmless without it") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (const char* codec : kStoredCodecs) {
    const Sample sample(codec, 40, random);
    for (const std::string& name : sample.names) {
      const std::string sound(sample.directory->Open(name).value()->view());
      // Every byte of what is small; of what is not, the start, the end (tables of contents) and a
      // part of the middle.
      for (size_t at = 0; at < sound.size(); ++at) {
        if (at > 100 && at + 300 < sound.size() && !random.OneIn(8)) continue;
        std::string damaged = sound;
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << random.Between(0, 7)));
        Replace(*sample.directory, name, damaged);
        INFO(name << " at " << at);
        const absl::Status verified = sample.Read(name, true);
        if (verified.ok()) REQUIRE_FALSE(verified.ok());
        const absl::Status unverified = sample.Read(name, false);
        if (unverified.code() == absl::StatusCode::kInternal) REQUIRE(unverified.ok());
      }
      Replace(*sample.directory, name, sound);
    }
    REQUIRE(sample.Sound());
  }
}

TEST_CASE("words of the worst values are harmless without the checksum") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (const char* codec : kStoredCodecs) {
    const Sample sample(codec, kMaxDoc, random);
    for (const std::string& name : sample.names) {
      const std::string sound(sample.directory->Open(name).value()->view());
      for (int round = 0; round < 150; ++round) {
        std::string damaged = sound;
        for (int64_t n = random.Between(1, 3); n > 0; --n) {
          // More often near the end, where the tables of contents are.
          const size_t from = random.OneIn(2) && damaged.size() > 300 ? damaged.size() - 300 : 0;
          const auto at = static_cast<size_t>(
              random.Between(static_cast<int64_t>(from), static_cast<int64_t>(damaged.size()) - 9));
          const std::string word = random.OneIn(3)
                                       ? random.Bytes(8, 8)
                                       : std::string(static_cast<size_t>(random.Between(1, 8)),
                                                     random.Pick<char>({'\0', '\x7f', '\xff'}));
          damaged.replace(at, word.size(), word);
        }
        if (random.OneIn(10)) {
          damaged.resize(
              static_cast<size_t>(random.Between(0, static_cast<int64_t>(damaged.size()) - 1)));
        }
        Replace(*sample.directory, name, damaged);
        const absl::Status status = sample.Read(name, false);
        INFO(name);
        if (status.code() == absl::StatusCode::kInternal) REQUIRE(status.ok());
      }
      Replace(*sample.directory, name, sound);
    }
  }
}

}  // namespace
}  // namespace curlew::codec
