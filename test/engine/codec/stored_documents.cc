#include "test/engine/codec/stored_documents.h"

#include <zdict.h>

#include <algorithm>

namespace curlew::codec {

std::vector<Document> RandomDocuments(test::Random& random, size_t count) {
  std::vector<Document> documents;
  const bool routed = random.OneIn(2);
  const bool large = random.OneIn(2) && count < 1000;
  for (size_t i = 0; i < count; ++i) {
    Document document{std::to_string(i), "", ""};
    if (random.OneIn(50)) document.id = random.Bytes(0, 512);
    if (routed && random.OneIn(3)) document.routing = random.Word(1, random.OneIn(20) ? 400 : 8);
    // Around the sizes of chunks, and far above them.
    if (large && random.OneIn(10)) {
      document.source = random.OneIn(2) ? random.Bytes(16'300, 16'500) : random.Bytes(8'100, 8'300);
    } else if (large && random.OneIn(30)) {
      document.source = random.Bytes(30'000, 200'000);
    } else if (!random.OneIn(20)) {
      document.source = "{\"title\":\"" + random.Word(0, 200) + "\"}";
    }
    documents.push_back(document);
  }
  return documents;
}

std::vector<Document> AlikeDocuments(test::Random& random, size_t bytes) {
  std::vector<std::string> words;
  for (int i = 0; i < 2000; ++i) words.push_back(random.Word(3, 12));
  std::vector<Document> documents;
  for (size_t have = 0; have < bytes; have += documents.back().size()) {
    const auto word = [&] {
      // Early ones more often.
      return words[static_cast<size_t>(random.Between(0, random.Between(0, 1999)))];
    };
    std::string source = "{\"@timestamp\":\"2024-05-01T10:00:00.000Z\",\"host\":\"" + word() +
                         "\",\"status\":" + std::to_string(random.Between(200, 204)) +
                         ",\"message\":\"";
    for (int64_t n = random.Between(5, 40); n > 0; --n) source += word() + " ";
    documents.push_back({std::to_string(documents.size()), "", source + "\"}"});
  }
  return documents;
}

StoredPlan PlanFor(const StoredCodec& codec, const std::vector<Document>& documents) {
  StoredPlan plan;
  for (const Document& d : documents) plan.raw_bytes += d.size();
  const uint64_t wanted = codec.SampleBytes(plan.raw_bytes);
  if (wanted == 0) return plan;
  const size_t step = std::max<size_t>(plan.raw_bytes / wanted, 1);
  for (size_t i = 0; i < documents.size(); i += step) {
    const Document& d = documents[i];
    plan.samples.bytes += d.id + d.routing + d.source;
    plan.samples.sizes.push_back(d.size());
  }
  return plan;
}

std::string SmallDictionary() {
  test::Random random(1);
  std::string bytes;
  std::vector<size_t> sizes;
  for (const Document& d : AlikeDocuments(random, 100'000)) {
    bytes += d.id + d.source;
    sizes.push_back(d.size());
  }
  std::string dictionary(2048, '\0');
  dictionary.resize(ZDICT_trainFromBuffer(dictionary.data(), dictionary.size(), bytes.data(),
                                          sizes.data(), static_cast<unsigned>(sizes.size())));
  return dictionary;
}

void WriteDocuments(store::Directory& directory, const StoredCodec& codec,
                    const std::vector<Document>& documents, const StoredPlan& plan) {
  auto writer = codec.NewWriter(directory, "_0", plan).value();
  for (const Document& d : documents) writer->Add({d.id, d.routing, d.source});
  REQUIRE(writer->Finish().ok());
}

void RequireDocuments(const StoredDocuments& stored, const std::vector<Document>& documents) {
  const auto cursor = stored.NewCursor();
  for (size_t i = 0; i < documents.size(); ++i) {
    const auto got = cursor->Read(static_cast<DocId>(i));
    if (!got.ok()) FAIL("document " << i << ": " << got.status());
    if (!Same(*got, documents[i])) FAIL("document " << i << " is another one");
  }
}

}  // namespace curlew::codec
