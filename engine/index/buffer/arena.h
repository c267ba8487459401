// Memory for what lives as long as a RAM buffer: handed out piece by piece, given back as a whole.
#ifndef CURLEW_ENGINE_INDEX_BUFFER_ARENA_H_
#define CURLEW_ENGINE_INDEX_BUFFER_ARENA_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace curlew::index {

// Not thread-safe. Pieces never move. An empty arena holds no memory.
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // `bytes` bytes without alignment.
  char* Allocate(size_t bytes) {
    if (bytes > static_cast<size_t>(end_ - next_)) return AllocateSlow(bytes);
    char* piece = next_;
    next_ += bytes;
    return piece;
  }

  std::string_view Copy(std::string_view text) {
    if (text.empty()) return {};
    char* piece = Allocate(text.size());
    std::memcpy(piece, text.data(), text.size());
    return {piece, text.size()};
  }

  uint64_t allocated() const { return allocated_; }

 private:
  static constexpr size_t kFirstChunk = 4 << 10;
  static constexpr size_t kLargestChunk = 1 << 20;

  char* AllocateSlow(size_t bytes) {
    // A piece that would waste much of a chunk gets a chunk of its own; the open one stays open.
    if (bytes > chunk_bytes_ / 4) {
      chunks_.push_back(std::make_unique_for_overwrite<char[]>(bytes));
      allocated_ += bytes;
      return chunks_.back().get();
    }
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(chunk_bytes_));
    allocated_ += chunk_bytes_;
    next_ = chunks_.back().get();
    end_ = next_ + chunk_bytes_;
    chunk_bytes_ = std::min(chunk_bytes_ * 2, kLargestChunk);
    char* piece = next_;
    next_ += bytes;
    return piece;
  }

  std::vector<std::unique_ptr<char[]>> chunks_;
  char* next_ = nullptr;
  char* end_ = nullptr;
  size_t chunk_bytes_ = kFirstChunk;
  uint64_t allocated_ = 0;
};

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_BUFFER_ARENA_H_
