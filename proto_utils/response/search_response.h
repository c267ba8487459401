// The one SearchResponse of a call, filled by reference: head and tail by the generated message,
// hits by the wire writer, all into one buffer that becomes one slice.
#ifndef CURLEW_PROTO_UTILS_RESPONSE_SEARCH_RESPONSE_H_
#define CURLEW_PROTO_UTILS_RESPONSE_SEARCH_RESPONSE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "engine/search/coordinator.h"
#include "engine/search/hit.h"

namespace curlew::proto_utils {

// Bytes of a finished response. Movable; `data` points into memory that `release` frees (so that a
// gRPC slice can take it over without a copy).
class ResponseBuffer {
 public:
  ResponseBuffer() = default;
  ResponseBuffer(ResponseBuffer&& other) noexcept;
  ResponseBuffer& operator=(ResponseBuffer&& other) noexcept;
  ~ResponseBuffer();

  std::string_view view() const { return {data_, size_}; }
  // Gives up ownership: the caller frees `base` with std::free.
  char* Release(std::string_view& view);

  // Used by writers.
  char* base_ = nullptr;  // malloc'ed
  const char* data_ = nullptr;
  size_t size_ = 0;
};

// Milliseconds.
struct SearchTimes {
  struct Phases {
    int64_t query = 0;
    int64_t fetch = 0;
  };

  int64_t took = 0;
  std::optional<Phases> phases;  // when asked for
};

// Writes hits as they come (a search::HitVisitor), then the rest around them. Used by one thread.
class SearchResponseWriter : public search::HitVisitor {
 public:
  static std::unique_ptr<SearchResponseWriter> Create();

  // Closes the response: `times` and what `result` says, then the bytes. Once. Fails with 429 when
  // the response is larger than a message can be or the memory is not there.
  virtual absl::Status Finish(const search::SearchResult& result, const SearchTimes& times,
                              ResponseBuffer& out) = 0;
};

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_RESPONSE_SEARCH_RESPONSE_H_
