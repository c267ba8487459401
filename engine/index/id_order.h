// The order of a segment's ids by document: what a sort on _id compares.
#ifndef CURLEW_ENGINE_INDEX_ID_ORDER_H_
#define CURLEW_ENGINE_INDEX_ID_ORDER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/codec/terms/terms.h"
#include "engine/util/cancel.h"

namespace curlew::index {

// Ids as ordinals, that is by their place among the segment's ids. Four bytes a document, and every
// 64th id; the others are read from the terms, which have to outlive it. Immutable, thread-safe.
class IdOrder {
 public:
  // Walks all of `terms` (null = no document has an id). Errors: corruption, or what `cancel` (may
  // be null) says meanwhile.
  static absl::StatusOr<std::shared_ptr<const IdOrder>> Gather(const codec::FieldTerms* terms,
                                                               codec::DocId max_doc,
                                                               const CancelToken* cancel);

  // One ordinal, or none for a document without an id.
  std::span<const uint32_t> Ordinals(codec::DocId doc) const {
    return {&ordinals_[doc], ordinals_[doc] == kNone ? size_t{0} : size_t{1}};
  }
  uint32_t id_count() const { return id_count_; }
  uint64_t heap_bytes() const;
  uint32_t doc_count() const { return doc_count_; }
  // `ordinal` < id_count().
  std::string Id(uint32_t ordinal) const;
  // The first ordinal whose id is >= `id`; id_count() when there is none.
  uint32_t LowerBound(std::string_view id) const;

 private:
  static constexpr uint32_t kNone = 0xffffffff;
  static constexpr uint32_t kIdsPerSample = 64;

  explicit IdOrder(const codec::FieldTerms* terms) : terms_(terms) {}

  const codec::FieldTerms* const terms_;
  std::vector<uint32_t> ordinals_;
  std::vector<std::string> samples_;  // the ids of ordinals 0, 64, 128, ...
  uint32_t id_count_ = 0;
  uint32_t doc_count_ = 0;
};

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_ID_ORDER_H_
