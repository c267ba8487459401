// A hit of the engine -> a sink: which parts it has and when they are shown. The only place that
// says so, whatever stands behind the sink.
#ifndef CURLEW_PROTO_UTILS_RESPONSE_HIT_CONVERTER_H_
#define CURLEW_PROTO_UTILS_RESPONSE_HIT_CONVERTER_H_

#include "engine/search/hit.h"
#include "proto_utils/response/hit_sink.h"

namespace curlew::proto_utils {

// What was asked for and known.
template <HitSink Sink>
void FillVersions(const search::Hit& hit, Sink& out) {
  if (hit.seq_no.has_value()) out.SeqNo(*hit.seq_no);
  if (hit.primary_term.has_value()) out.PrimaryTerm(*hit.primary_term);
  if (hit.version.has_value()) out.Version(*hit.version);
}

template <HitSink Sink>
void FillSource(const search::Hit& hit, Sink& out) {
  if (hit.source.has_value()) out.Source(*hit.source);
}

template <HitSink Sink>
void FillSortValues(const search::Hit& hit, Sink& out) {
  for (const search::SortValue& value : hit.sort) out.Sort(value);
}

template <HitSink Sink>
void FillHit(const search::Hit& hit, Sink& out) {
  out.Index(hit.index);
  out.Id(hit.id);
  out.Score(hit.score);
  FillSource(hit, out);
  FillVersions(hit, out);
  FillSortValues(hit, out);
  if (!hit.routing.empty()) out.Routing(hit.routing);
}

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_RESPONSE_HIT_CONVERTER_H_
