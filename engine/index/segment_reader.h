// An opened segment: all its formats, by field.
#ifndef CURLEW_ENGINE_INDEX_SEGMENT_READER_H_
#define CURLEW_ENGINE_INDEX_SEGMENT_READER_H_

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/codec/columns/column.h"
#include "engine/codec/norms/norms.h"
#include "engine/codec/points/points.h"
#include "engine/codec/stored/stored.h"
#include "engine/codec/terms/terms.h"
#include "engine/index/id_order.h"
#include "engine/store/directory.h"
#include "engine/util/cancel.h"

namespace curlew::index {

// What a commit point records of a segment.
struct SegmentInfo {
  std::string name;          // "_0", "_1", ... in base 36
  uint32_t max_doc = 0;      // documents, deleted ones included
  std::string stored_codec;  // StoredCodec::Find
  uint64_t size_bytes = 0;   // of all its files
};

// Immutable, thread-safe, shared by the snapshots that hold it. The files of a segment that no
// commit point and no snapshot needs are deleted when its reader goes.
class SegmentReader {
 public:
  static absl::StatusOr<std::shared_ptr<const SegmentReader>> Open(
      std::shared_ptr<store::Directory> directory, const SegmentInfo& info);
  virtual ~SegmentReader() = default;

  virtual const SegmentInfo& info() const = 0;
  codec::DocId max_doc() const { return info().max_doc; }
  // Files that a reader has mapped: terms, postings, columns, points, norms, stored.
  static constexpr uint64_t kFiles = 6;
  // What is kept in memory besides them, as far as it grows with the segment and its use: the order
  // of ids, and what the terms of all fields have worked out.
  uint64_t heap_bytes() const;

  // Null when no document of the segment has the field (or it keeps no such structure).
  virtual const codec::FieldTerms* Terms(std::string_view field) const = 0;
  virtual const codec::NumericColumn* Numeric(std::string_view field) const = 0;
  virtual const codec::OrdinalColumn* Ordinals(std::string_view field) const = 0;
  virtual const codec::NumberPoints* Points(std::string_view) const { return nullptr; }
  virtual const codec::Norms* NormsOf(std::string_view field) const = 0;
  virtual const codec::StoredDocuments& stored() const = 0;

  // Worked out when it is first asked for, by one caller while others wait, and kept from then on.
  // Errors as of IdOrder::Gather; what one caller's `cancel` stopped, the next starts again.
  absl::StatusOr<std::shared_ptr<const IdOrder>> id_order(const CancelToken* cancel) const;

  // The names of the fields that have each structure: what a merge has to walk.
  virtual const std::vector<std::string>& term_fields() const = 0;
  virtual std::vector<std::string> numeric_fields() const = 0;
  virtual std::vector<std::string> ordinal_fields() const = 0;
  virtual std::vector<std::string> point_fields() const { return {}; }
  virtual std::vector<std::string> norm_fields() const = 0;

 private:
  mutable std::mutex id_order_mutex_;
  mutable std::condition_variable id_order_ready_;
  mutable bool gathering_ids_ = false;               // guarded by id_order_mutex_
  mutable std::shared_ptr<const IdOrder> id_order_;  // guarded by id_order_mutex_
};

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_SEGMENT_READER_H_
