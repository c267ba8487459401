#include "engine/codec/points/box_tree_writer.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "engine/codec/columns/bit_packing.h"
#include "engine/codec/points/points.h"
#include "engine/codec/points/points_format.h"
#include "engine/codec/sections.h"

namespace curlew::codec {
namespace {

// Splits the points in halves of whole leaves along the dimension that is widest, until one leaf is
// left. The splits are written in the order in which they are made (a node before its left part,
// that before its right part), so the shape of the tree follows from the number of leaves.
class Builder {
 public:
  Builder(store::CheckedWriter& out, uint32_t dimensions, uint32_t bytes,
          std::span<const uint8_t> packed, std::span<const DocId> docs)
      : out_(out),
        dimensions_(dimensions),
        bytes_(bytes),
        packed_(packed),
        docs_(docs),
        order_(docs.size()) {
    std::iota(order_.begin(), order_.end(), uint64_t{0});
  }

  void Run(std::string& contents) {
    const uint64_t leaves = (docs_.size() + kPointsPerLeaf - 1) / kPointsPerLeaf;
    Build(0, docs_.size(), leaves);
    PutVarint(contents, AppendArray(out_, std::span<const uint64_t>(positions_)));
    PutVarint(contents, out_.position());
    out_.Append(splits_);
  }

 private:
  const uint8_t* At(uint64_t point, uint32_t dimension) const {
    return &packed_[(point * dimensions_ + dimension) * bytes_];
  }
  int Compare(const uint8_t* a, const uint8_t* b) const { return std::memcmp(a, b, bytes_); }

  void Bounds(uint64_t first, uint64_t last, std::string& min, std::string& max) const {
    const size_t size = size_t{dimensions_} * bytes_;
    min.assign(reinterpret_cast<const char*>(At(order_[first], 0)), size);
    max = min;
    for (uint64_t i = first + 1; i < last; ++i) {
      for (uint32_t d = 0; d < dimensions_; ++d) {
        const uint8_t* const value = At(order_[i], d);
        char* const low = min.data() + d * bytes_;
        char* const high = max.data() + d * bytes_;
        if (std::memcmp(value, low, bytes_) < 0) std::memcpy(low, value, bytes_);
        if (std::memcmp(value, high, bytes_) > 0) std::memcpy(high, value, bytes_);
      }
    }
  }

  // The dimension whose bounds lie farthest apart.
  uint32_t Widest(const std::string& min, const std::string& max) const {
    uint32_t widest = 0;
    std::string most;
    for (uint32_t d = 0; d < dimensions_; ++d) {
      std::string width(bytes_, '\0');
      int borrow = 0;
      for (uint32_t i = bytes_; i-- > 0;) {
        const size_t at = size_t{d} * bytes_ + i;
        const int digit = static_cast<uint8_t>(max[at]) - static_cast<uint8_t>(min[at]) - borrow;
        borrow = digit < 0 ? 1 : 0;
        width[i] = static_cast<char>(digit & 0xff);
      }
      if (d > 0 && std::memcmp(width.data(), most.data(), bytes_) <= 0) continue;
      most = std::move(width);
      widest = d;
    }
    return widest;
  }

  void Build(uint64_t first, uint64_t last, uint64_t leaves) {
    std::string min;
    std::string max;
    Bounds(first, last, min, max);
    if (leaves == 1) return WriteLeaf(first, last, min, max);
    const uint32_t d = Widest(min, max);
    const uint64_t left = (leaves + 1) / 2;
    const uint64_t middle = first + left * kPointsPerLeaf;
    const auto begin = order_.begin();
    std::nth_element(begin + static_cast<std::ptrdiff_t>(first),
                     begin + static_cast<std::ptrdiff_t>(middle),
                     begin + static_cast<std::ptrdiff_t>(last), [this, d](uint64_t a, uint64_t b) {
                       const int order = Compare(At(a, d), At(b, d));
                       if (order != 0) return order < 0;
                       return docs_[a] != docs_[b] ? docs_[a] < docs_[b] : a < b;
                     });
    splits_.push_back(static_cast<char>(d));
    splits_.append(reinterpret_cast<const char*>(At(order_[middle], d)), bytes_);
    Build(first, middle, left);
    Build(middle, last, leaves - left);
  }

  void WriteLeaf(uint64_t first, uint64_t last, const std::string& min, const std::string& max) {
    const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, begin + static_cast<std::ptrdiff_t>(last - first),
              [this](uint64_t a, uint64_t b) {
                return docs_[a] != docs_[b] ? docs_[a] < docs_[b] : a < b;
              });
    positions_.push_back(out_.position());
    out_.Append(min);
    out_.Append(max);
    const DocId least = docs_[order_[first]];
    std::vector<uint64_t> distances;
    for (uint64_t i = first; i < last; ++i) distances.push_back(docs_[order_[i]] - least);
    const BoxLeafHead head{least, PackedWidth(distances.back())};
    std::string bytes(reinterpret_cast<const char*>(&head), sizeof(head));
    AppendPacked(distances, head.doc_width, bytes);
    for (uint64_t i = first; i < last; ++i) {
      for (uint32_t d = 0; d < dimensions_; ++d) {
        uint32_t same = 0;
        while (same < bytes_ && min[d * bytes_ + same] == max[d * bytes_ + same]) ++same;
        bytes.append(reinterpret_cast<const char*>(At(order_[i], d)) + same, bytes_ - same);
      }
    }
    out_.Append(bytes);
  }

  store::CheckedWriter& out_;
  const uint32_t dimensions_;
  const uint32_t bytes_;
  const std::span<const uint8_t> packed_;
  const std::span<const DocId> docs_;
  std::vector<uint64_t> order_;
  std::vector<uint64_t> positions_;  // of the leaves
  std::string splits_;
};

}  // namespace

void WriteBoxTree(store::CheckedWriter& out, uint32_t dimensions, uint32_t bytes,
                  std::span<const uint8_t> packed, std::span<const DocId> docs,
                  std::string& contents) {
  std::vector<DocId> distinct(docs.begin(), docs.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  contents.push_back(static_cast<char>(dimensions));
  contents.push_back(static_cast<char>(bytes));
  PutVarint(contents, docs.size());
  PutVarint(contents, distinct.size());
  Builder(out, dimensions, bytes, packed, docs).Run(contents);
}

}  // namespace curlew::codec
