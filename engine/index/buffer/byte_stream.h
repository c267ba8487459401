// A stream of bytes that grows in an arena: how a term's postings are kept while its documents are
// still arriving.
//
// A stream is a chain of chunks. The n-th chunk holds min(8 << n, 4096) bytes and, behind them, the
// address of the next one; so a rare term costs 16 bytes and a frequent one is mostly payload.
#ifndef CURLEW_ENGINE_INDEX_BUFFER_BYTE_STREAM_H_
#define CURLEW_ENGINE_INDEX_BUFFER_BYTE_STREAM_H_

#include <cstdint>
#include <cstring>

#include "engine/index/buffer/arena.h"

namespace curlew::index {

inline uint32_t StreamChunkBytes(uint8_t level) { return level < 9 ? 8u << level : 4096u; }

// The writing end. Plain data, 32 bytes; the arena owns what it points to.
struct ByteStream {
  char* first = nullptr;
  char* cur = nullptr;
  char* end = nullptr;
  uint8_t level = 0;  // of the open chunk

  void PutByte(Arena& arena, uint8_t byte) {
    if (cur == end) Grow(arena);
    *cur++ = static_cast<char>(byte);
  }
  void PutVarint(Arena& arena, uint32_t v) {
    while (v >= 0x80) {
      PutByte(arena, static_cast<uint8_t>(v | 0x80));
      v >>= 7;
    }
    PutByte(arena, static_cast<uint8_t>(v));
  }

 private:
  void Grow(Arena& arena) {
    if (first != nullptr && level < 9) ++level;
    const uint32_t bytes = StreamChunkBytes(level);
    char* chunk = arena.Allocate(bytes + sizeof(char*));
    if (first == nullptr) {
      first = chunk;
    } else {
      std::memcpy(end, &chunk, sizeof(char*));
    }
    cur = chunk;
    end = chunk + bytes;
  }
};

// Reads a stream that is not being written any more. Read only while !AtEnd().
class ByteStreamReader {
 public:
  explicit ByteStreamReader(const ByteStream& stream)
      : cur_(stream.first),
        end_(stream.first == nullptr ? nullptr : stream.first + StreamChunkBytes(0)),
        stop_(stream.cur) {}

  bool AtEnd() const { return cur_ == stop_; }
  uint8_t Byte() {
    if (cur_ == end_) {
      std::memcpy(&cur_, end_, sizeof(char*));
      if (level_ < 9) ++level_;
      end_ = cur_ + StreamChunkBytes(level_);
    }
    return static_cast<uint8_t>(*cur_++);
  }
  uint32_t Varint() {
    uint32_t v = 0;
    for (int shift = 0;; shift += 7) {
      const uint8_t b = Byte();
      v |= static_cast<uint32_t>(b & 0x7f) << shift;
      if (b < 0x80) return v;
    }
  }

 private:
  const char* cur_;
  const char* end_;
  const char* stop_;
  uint8_t level_ = 0;
};

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_BUFFER_BYTE_STREAM_H_
