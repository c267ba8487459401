// Documents for the tests of stored documents: random ones, and ones that are always the same.
#ifndef CURLEW_TEST_ENGINE_CODEC_STORED_DOCUMENTS_H_
#define CURLEW_TEST_ENGINE_CODEC_STORED_DOCUMENTS_H_

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "engine/codec/stored/stored_codec.h"
#include "test/support/random.h"

namespace curlew::codec {

inline constexpr const char* kStoredCodecs[] = {"none", "lz4", "zstd", "zstd_no_dict"};

struct Document {
  std::string id;
  std::string routing;
  std::string source;

  size_t size() const { return id.size() + routing.size() + source.size(); }
};

// With or without routing; small ones, and (below 1,000) ones around the size of a chunk and far
// above it.
std::vector<Document> RandomDocuments(test::Random& random, size_t count);
// Alike as log lines are: `bytes` of them in total, or a little more.
std::vector<Document> AlikeDocuments(test::Random& random, size_t bytes);

inline bool Same(const StoredDocument& got, const Document& expected) {
  return got.id == expected.id && got.routing == expected.routing && got.source == expected.source;
}

// A plan with samples of `documents`, as the codec asks for them.
StoredPlan PlanFor(const StoredCodec& codec, const std::vector<Document>& documents);

// A trained dictionary of 2 KiB, always the same.
std::string SmallDictionary();

// Writes segment "_0".
void WriteDocuments(store::Directory& directory, const StoredCodec& codec,
                    const std::vector<Document>& documents, const StoredPlan& plan = {});

// Reads all, in order, and compares.
void RequireDocuments(const StoredDocuments& stored, const std::vector<Document>& documents);

}  // namespace curlew::codec

#endif  // CURLEW_TEST_ENGINE_CODEC_STORED_DOCUMENTS_H_
