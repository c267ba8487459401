// The hit sink that writes a hit's wire form. Lengths stand in front of what they measure, so a hit
// goes through FillHit twice: WireHitSize adds up, then WireHitSink writes, each byte once.
//
// A generated hit is an object of 584 bytes and several strings for about 80 bytes of content; of
// 30,000 hits, building the objects would take most of the time of the call.
#ifndef CURLEW_PROTO_UTILS_RESPONSE_WIRE_HIT_SINK_H_
#define CURLEW_PROTO_UTILS_RESPONSE_WIRE_HIT_SINK_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/search/hit.h"
#include "proto_utils/response/hit_sink.h"
#include "proto_utils/response/wire.h"

namespace curlew::proto_utils {

namespace hit_field {
// Numbers of HitsMetadataHitsInner.
inline constexpr int kIndex = 2;
inline constexpr int kId = 3;
inline constexpr int kScore = 4;
inline constexpr int kSource = 16;
inline constexpr int kSeqNo = 17;
inline constexpr int kPrimaryTerm = 18;
inline constexpr int kVersion = 19;
inline constexpr int kSort = 20;
inline constexpr int kMetaFields = 21;
}  // namespace hit_field

// The length of a FieldValue's content, and the content.
size_t SortValueSize(const search::SortValue& value);
char* PutSortValue(char* p, const search::SortValue& value);

// The length of the content of meta_fields {"_routing": [text]}, and the content.
size_t RoutingSize(std::string_view text);
char* PutRouting(char* p, std::string_view text);

// HitXScore: null_value = 1, double = 2.
inline constexpr size_t kNullScoreSize = 2;
inline constexpr size_t kScoreSize = 9;

// Adds up the bytes of a hit's content.
class WireHitSize {
 public:
  void Index(std::string_view text) { Add(wire::LengthFieldSize(hit_field::kIndex, text.size())); }
  void Id(std::string_view text) { Add(wire::LengthFieldSize(hit_field::kId, text.size())); }
  void Score(double score) {
    Add(wire::LengthFieldSize(hit_field::kScore, IsScore(score) ? kScoreSize : kNullScoreSize));
  }
  void Source(std::string_view text) {
    Add(wire::LengthFieldSize(hit_field::kSource, text.size()));
  }
  void SeqNo(int64_t n) { Add(wire::VarintFieldSize(hit_field::kSeqNo, wire::Signed(n))); }
  void PrimaryTerm(int64_t n) {
    Add(wire::VarintFieldSize(hit_field::kPrimaryTerm, wire::Signed(n)));
  }
  void Version(int64_t n) { Add(wire::VarintFieldSize(hit_field::kVersion, wire::Signed(n))); }
  void Sort(const search::SortValue& value) {
    Add(wire::LengthFieldSize(hit_field::kSort, SortValueSize(value)));
  }
  void Routing(std::string_view text) {
    Add(wire::LengthFieldSize(hit_field::kMetaFields, RoutingSize(text)));
  }

  size_t size() const { return size_; }

 private:
  void Add(size_t bytes) { size_ += bytes; }

  size_t size_ = 0;
};
static_assert(HitSink<WireHitSize>);

// Writes at `p`, where WireHitSize's bytes are free.
class WireHitSink {
 public:
  explicit WireHitSink(char* p) : p_(p) {}

  void Index(std::string_view text) { p_ = wire::PutBytesField(p_, hit_field::kIndex, text); }
  void Id(std::string_view text) { p_ = wire::PutBytesField(p_, hit_field::kId, text); }
  void Score(double score) {
    if (IsScore(score)) {
      p_ = wire::PutLength(p_, hit_field::kScore, kScoreSize);
      p_ = wire::PutFixed64Field(p_, 2, score);
    } else {
      p_ = wire::PutLength(p_, hit_field::kScore, kNullScoreSize);
      p_ = wire::PutVarintField(p_, 1, 1);
    }
  }
  void Source(std::string_view text) { p_ = wire::PutBytesField(p_, hit_field::kSource, text); }
  void SeqNo(int64_t n) { p_ = wire::PutVarintField(p_, hit_field::kSeqNo, wire::Signed(n)); }
  void PrimaryTerm(int64_t n) {
    p_ = wire::PutVarintField(p_, hit_field::kPrimaryTerm, wire::Signed(n));
  }
  void Version(int64_t n) { p_ = wire::PutVarintField(p_, hit_field::kVersion, wire::Signed(n)); }
  void Sort(const search::SortValue& value) {
    p_ = PutSortValue(wire::PutLength(p_, hit_field::kSort, SortValueSize(value)), value);
  }
  void Routing(std::string_view text) {
    p_ = PutRouting(wire::PutLength(p_, hit_field::kMetaFields, RoutingSize(text)), text);
  }

  char* end() const { return p_; }

 private:
  char* p_;
};
static_assert(HitSink<WireHitSink>);

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_RESPONSE_WIRE_HIT_SINK_H_
