// The one SearchResponse of a call, filled by reference: head and tail by the generated message,
// hits by the wire writer, all into the memory that becomes the slices gRPC sends.
#ifndef CURLEW_PROTO_UTILS_RESPONSE_SEARCH_RESPONSE_H_
#define CURLEW_PROTO_UTILS_RESPONSE_SEARCH_RESPONSE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "engine/search/coordinator.h"
#include "engine/search/hit.h"

namespace curlew::proto_utils {

// Bytes of a finished response: pieces, to be read one behind the other. Movable; owns the memory,
// until a gRPC slice takes a piece over without a copy.
class ResponseBuffer {
 public:
  struct Piece {
    char* base = nullptr;    // malloc'ed
    std::string_view bytes;  // inside of it
  };

  ResponseBuffer() = default;
  ResponseBuffer(ResponseBuffer&& other) noexcept;
  ResponseBuffer& operator=(ResponseBuffer&& other) noexcept;
  ~ResponseBuffer();

  // Takes over `piece.base`.
  void Append(const Piece& piece) { pieces_.push_back(piece); }

  size_t size() const;
  const std::vector<Piece>& pieces() const { return pieces_; }
  // Gives up ownership: the caller frees each base with std::free.
  std::vector<Piece> Release();

 private:
  std::vector<Piece> pieces_;
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

// Writes hits as they come, each part into a piece of its own, then the rest around them.
class SearchResponseWriter : public search::HitOutput {
 public:
  // Asked before memory is taken, from any thread; false = there is none. Empty = there always is.
  using Charge = std::function<bool(int64_t bytes)>;
  static std::unique_ptr<SearchResponseWriter> Create(Charge charge = nullptr);

  // Closes the response: `times` and what `result` says, then the bytes. Once. Fails with 429 when
  // the response is larger than a message can be or the memory is not there.
  virtual absl::Status Finish(const search::SearchResult& result, const SearchTimes& times,
                              ResponseBuffer& out) = 0;
};

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_RESPONSE_SEARCH_RESPONSE_H_
