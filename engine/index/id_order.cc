#include "engine/index/id_order.h"

#include <algorithm>

#include "engine/util/error.h"

namespace curlew::index {

using codec::DocId;
using codec::kNoMoreDocs;

absl::StatusOr<std::shared_ptr<const IdOrder>> IdOrder::Gather(const codec::FieldTerms* terms,
                                                               DocId max_doc,
                                                               const CancelToken* cancel) {
  std::shared_ptr<IdOrder> order(new IdOrder(terms));
  order->ordinals_.resize(max_doc, kNone);
  if (terms == nullptr) return order;
  PeriodicCheck check(cancel);
  const auto it = terms->Iterate();
  while (!check.Stop() && it->Next()) {
    const auto postings = terms->OpenPostings(it->entry());
    for (DocId doc = postings->Next(); doc != kNoMoreDocs; doc = postings->Next()) {
      order->doc_count_ += order->ordinals_[doc] == kNone ? 1 : 0;
      order->ordinals_[doc] = order->id_count_;
    }
    if (postings->corrupt()) return Corruption("a postings list of [_id] is damaged");
    if (order->id_count_ % kIdsPerSample == 0) order->samples_.emplace_back(it->term());
    ++order->id_count_;
  }
  CURLEW_RETURN_IF_ERROR(check.status());
  if (it->corrupt()) return Corruption("the terms of [_id] are damaged");
  return order;
}

uint64_t IdOrder::heap_bytes() const {
  uint64_t bytes = sizeof(*this) + ordinals_.capacity() * sizeof(uint32_t) +
                   samples_.capacity() * sizeof(std::string);
  // Short texts lie in the string itself.
  static const size_t kInside = std::string().capacity();
  for (const std::string& sample : samples_) {
    if (sample.capacity() > kInside) bytes += sample.capacity() + 1;
  }
  return bytes;
}

std::string IdOrder::Id(uint32_t ordinal) const {
  const std::string& sample = samples_[ordinal / kIdsPerSample];
  uint32_t left = ordinal % kIdsPerSample;
  if (left == 0) return sample;
  const auto it = terms_->Iterate();
  bool found = it->SeekCeil(sample);
  for (; found && left > 0; --left) found = it->Next();
  // The walk that gathered the order saw all of them.
  return found ? std::string(it->term()) : std::string();
}

uint32_t IdOrder::LowerBound(std::string_view id) const {
  // The last sample that is not above `id`.
  const auto after = std::upper_bound(samples_.begin(), samples_.end(), id);
  if (after == samples_.begin()) return 0;
  const auto sample = after - 1;
  auto ordinal = static_cast<uint32_t>(sample - samples_.begin()) * kIdsPerSample;
  const auto it = terms_->Iterate();
  for (bool found = it->SeekCeil(*sample); found && it->term() < id; found = it->Next()) ++ordinal;
  return ordinal;
}

}  // namespace curlew::index
