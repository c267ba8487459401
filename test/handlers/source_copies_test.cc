// The bytes of a document go from the stored block into the response once: counted. This binary is
// linked with --wrap for malloc, realloc and memcpy, so that the functions here see every call that
// our own code makes (that of shared libraries, such as a decompressor's, they do not).
#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "engine/catalog/bulk.h"
#include "engine/catalog/catalog.h"
#include "engine/search/coordinator.h"
#include "engine/store/real_directory.h"
#include "engine/util/thread_pool.h"
#include "proto_utils/response/search_response.h"
#include "protos/opensearch/search_response.pb.h"
#include "test/support/temp_folder.h"

namespace {

// Sources are longer than anything else that is copied.
constexpr size_t kLong = 4096;

struct LongCopy {
  const char* to;
  const char* from;
  size_t size;
};

// What the one thread that counts has done. Fixed room: the counters must not allocate.
struct Counts {
  size_t allocated = 0;
  size_t copy_count = 0;
  LongCopy copies[1024];
};
thread_local Counts* counting = nullptr;

void CountAllocation(size_t size) {
  if (counting != nullptr) counting->allocated += size;
}

}  // namespace

extern "C" {
void* __real_malloc(size_t size);
void* __real_realloc(void* old, size_t size);
void* __real_memcpy(void* to, const void* from, size_t size);

void* __wrap_malloc(size_t size) {
  CountAllocation(size);
  return __real_malloc(size);
}
void* __wrap_realloc(void* old, size_t size) {
  CountAllocation(size);
  return __real_realloc(old, size);
}
void* __wrap_memcpy(void* to, const void* from, size_t size) {
  if (counting != nullptr && size >= kLong && counting->copy_count < 1024) {
    counting->copies[counting->copy_count++] = {static_cast<char*>(to),
                                                static_cast<const char*>(from), size};
  }
  return __real_memcpy(to, from, size);
}
}

void* operator new(size_t size) {
  CountAllocation(size);
  if (void* memory = __real_malloc(size)) return memory;
  throw std::bad_alloc();
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  CountAllocation(size);
  return __real_malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace curlew {
namespace {

constexpr int kDocuments = 200;

std::string SourceOf(int i) {
  return R"({"n":)" + std::to_string(i) + R"(,"text":")" + std::string(6000 + 10 * i, 'x') + "\"}";
}

// An index of kDocuments long documents in one segment.
std::shared_ptr<catalog::Index> MakeIndex(catalog::Catalog& catalog) {
  REQUIRE(catalog
              .Create("i", R"({"settings":{"number_of_replicas":0},
                              "mappings":{"properties":{"text":{"type":"keyword","index":false,
                                                                "doc_values":false}}}})")
              .ok());
  std::vector<std::string> ids, sources;
  for (int i = 0; i < kDocuments; ++i) {
    ids.push_back("d" + std::to_string(i));
    sources.push_back(SourceOf(i));
  }
  std::vector<catalog::BulkItem> items(kDocuments);
  for (int i = 0; i < kDocuments; ++i) {
    items[i].index = "i";
    items[i].operation.id = ids[i];
    items[i].operation.source = sources[i];
  }
  std::vector<catalog::BulkItemResult> results(kDocuments);
  catalog::ExecuteBulk(catalog, items, catalog::RefreshPolicy::kTrue, results, [] {});
  for (const auto& result : results) REQUIRE(result.result.status.ok());
  return *catalog.Get("i");
}

TEST_CASE("a source is copied once between stored block and response") {
  test::TempFolder folder;
  ThreadPool pool("background", 1, 100);
  auto directory = store::OpenRealDirectory(folder.path());
  REQUIRE(directory.ok());
  auto catalog = catalog::Catalog::Open(*directory, {}, &pool);
  REQUIRE(catalog.ok());
  const auto index = MakeIndex(**catalog);

  search::SearchRequest request;
  request.size = kDocuments;
  CancelToken cancel;
  const auto shards = index->OpenSearches(0);
  const auto result = search::RunQueryPhase(request, shards, true, cancel);
  REQUIRE(result.ok());
  REQUIRE(result->hits.size() == kDocuments);

  const auto counts = std::make_unique<Counts>();
  const auto writer = proto_utils::SearchResponseWriter::Create();
  proto_utils::ResponseBuffer response;
  counting = counts.get();
  const absl::Status fetched =
      search::RunFetchPhase(request, *result, shards, cancel, nullptr, *writer);
  const absl::Status finished = writer->Finish(*result, {}, response);
  counting = nullptr;
  REQUIRE(fetched.ok());
  REQUIRE(finished.ok());

  org::opensearch::protobufs::SearchResponse read;
  std::string bytes;
  for (const auto& piece : response.pieces()) bytes += piece.bytes;
  REQUIRE(read.ParseFromString(bytes));
  REQUIRE(read.hits().hits_size() == kDocuments);
  uint64_t source_bytes = 0;
  for (int i = 0; i < kDocuments; ++i) {
    REQUIRE(read.hits().hits(i).x_source() == SourceOf(i));
    source_bytes += SourceOf(i).size();
  }

  // Memory was taken for one response and little else: there is no room for a second copy.
  CHECK(counts->allocated >= source_bytes);
  CHECK(counts->allocated < bytes.size() + bytes.size() / 20 + 65536);

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they have a memcpy of theirs
  // One copy a source, from outside the response into it.
  CHECK(counts->copy_count == kDocuments);
  const auto holds = [](std::string_view piece, const char* from, size_t size) {
    return from >= piece.data() && from + size <= piece.data() + piece.size();
  };
  uint64_t copied = 0;
  for (size_t i = 0; i < counts->copy_count; ++i) {
    const LongCopy& copy = counts->copies[i];
    copied += copy.size;
    int into = 0, from = 0;
    for (const auto& piece : response.pieces()) {
      into += holds(piece.bytes, copy.to, copy.size);
      from += holds(piece.bytes, copy.from, copy.size);
    }
    CHECK(into == 1);
    CHECK(from == 0);
  }
  CHECK(copied == source_bytes);
#endif
  CHECK((*catalog)->Close().ok());
}

}  // namespace
}  // namespace curlew
