// What a hit consists of, as calls in field order. FillHit (hit_converter.h) is written once over
// it; two models stand behind it: the generated message (message_hit_sink.h) and the wire writer
// that appends straight into the response buffer (wire_hit_sink.h).
#ifndef CURLEW_PROTO_UTILS_RESPONSE_HIT_SINK_H_
#define CURLEW_PROTO_UTILS_RESPONSE_HIT_SINK_H_

#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>

#include "engine/search/hit.h"

namespace curlew::proto_utils {

// Not NaN: a document that is not scored, or boosts that multiply out to infinity times zero; nor
// -infinity, which is how such a document goes last among scored ones.
inline bool IsScore(double score) { return score > -std::numeric_limits<double>::infinity(); }

// Calls come in this order; each at most once for a hit, Sort once per sort value. What is not
// called is absent. A model's functions take views that are valid during the call only.
template <typename S>
concept HitSink = requires(S& s, std::string_view text, double score, int64_t number,
                           const search::SortValue& value) {
  s.Index(text);          // 2 x_index
  s.Id(text);             // 3 x_id
  s.Score(score);         // 4 x_score; the null arm unless IsScore
  s.Source(text);         // 16 x_source
  s.SeqNo(number);        // 17 x_seq_no
  s.PrimaryTerm(number);  // 18 x_primary_term
  s.Version(number);      // 19 x_version
  s.Sort(value);          // 20 sort
  s.Routing(text);        // 21 meta_fields {"_routing": [text]}
};

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_RESPONSE_HIT_SINK_H_
