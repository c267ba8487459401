// The hit sink over the generated message: for hits inside other messages, and the reference that
// the wire writer is held against.
#ifndef CURLEW_PROTO_UTILS_RESPONSE_MESSAGE_HIT_SINK_H_
#define CURLEW_PROTO_UTILS_RESPONSE_MESSAGE_HIT_SINK_H_

#include <cmath>
#include <cstdint>
#include <string_view>

#include "engine/search/hit.h"
#include "proto_utils/response/hit_sink.h"
#include "protos/opensearch/hits.pb.h"
#include "protos/opensearch/value.pb.h"

namespace curlew::proto_utils {

// A score, or null: see IsScore.
void FillScore(double score, org::opensearch::protobufs::HitXScore& out);

// A sort value in the arm of its type.
void FillSortValue(const search::SortValue& value, org::opensearch::protobufs::FieldValue& out);

// Fills `hit`, which it does not own.
class MessageHitSink {
 public:
  explicit MessageHitSink(org::opensearch::protobufs::HitsMetadataHitsInner& hit) : hit_(hit) {}

  void Index(std::string_view text) { hit_.set_x_index(text.data(), text.size()); }
  void Id(std::string_view text) { hit_.set_x_id(text.data(), text.size()); }
  void Score(double score) { FillScore(score, *hit_.mutable_x_score()); }
  void Source(std::string_view text) { hit_.set_x_source(text.data(), text.size()); }
  void SeqNo(int64_t number) { hit_.set_x_seq_no(number); }
  void PrimaryTerm(int64_t number) { hit_.set_x_primary_term(number); }
  void Version(int64_t number) { hit_.set_x_version(number); }
  void Sort(const search::SortValue& value) { FillSortValue(value, *hit_.add_sort()); }
  void Routing(std::string_view text);

 private:
  org::opensearch::protobufs::HitsMetadataHitsInner& hit_;
};
static_assert(HitSink<MessageHitSink>);

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_RESPONSE_MESSAGE_HIT_SINK_H_
