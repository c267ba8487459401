#include "engine/index/segment_reader.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "engine/codec/columns/column_reader.h"
#include "engine/codec/norms/norms_file.h"
#include "engine/codec/points/points_reader.h"
#include "engine/codec/stored/stored_codec.h"
#include "engine/codec/terms/inverted_reader.h"
#include "engine/mapping/field.h"
#include "engine/util/error.h"

namespace curlew::index {

namespace {

class FileSegmentReader : public SegmentReader {
 public:
  FileSegmentReader(SegmentInfo info, std::unique_ptr<codec::InvertedReader> inverted,
                    std::unique_ptr<codec::ColumnReader> columns,
                    std::unique_ptr<codec::PointsReader> points,
                    std::unique_ptr<codec::NormsReader> norms,
                    std::unique_ptr<codec::StoredDocuments> stored)
      : info_(std::move(info)),
        inverted_(std::move(inverted)),
        columns_(std::move(columns)),
        points_(std::move(points)),
        norms_(std::move(norms)),
        stored_(std::move(stored)) {}

  const SegmentInfo& info() const override { return info_; }
  const codec::FieldTerms* Terms(std::string_view field) const override {
    return inverted_->Field(field);
  }
  const codec::NumericColumn* Numeric(std::string_view field) const override {
    return columns_->Numeric(field);
  }
  const codec::OrdinalColumn* Ordinals(std::string_view field) const override {
    return columns_->Ordinals(field);
  }
  const codec::NumberPoints* Points(std::string_view field) const override {
    return points_->Numbers(field);
  }
  const codec::Norms* NormsOf(std::string_view field) const override {
    return norms_->Field(field);
  }
  const codec::StoredDocuments& stored() const override { return *stored_; }

  const std::vector<std::string>& term_fields() const override { return inverted_->fields(); }
  std::vector<std::string> numeric_fields() const override { return columns_->numeric_fields(); }
  std::vector<std::string> ordinal_fields() const override { return columns_->ordinal_fields(); }
  std::vector<std::string> point_fields() const override { return points_->number_fields(); }
  std::vector<std::string> norm_fields() const override { return norms_->fields(); }

 private:
  const SegmentInfo info_;
  const std::unique_ptr<codec::InvertedReader> inverted_;
  const std::unique_ptr<codec::ColumnReader> columns_;
  const std::unique_ptr<codec::PointsReader> points_;
  const std::unique_ptr<codec::NormsReader> norms_;
  const std::unique_ptr<codec::StoredDocuments> stored_;
};

}  // namespace

uint64_t SegmentReader::heap_bytes() const {
  uint64_t bytes = 0;
  for (const std::string& field : term_fields()) bytes += Terms(field)->heap_bytes();
  std::lock_guard lock(id_order_mutex_);
  return bytes + (id_order_ == nullptr ? 0 : id_order_->heap_bytes());
}

absl::StatusOr<std::shared_ptr<const IdOrder>> SegmentReader::id_order(
    const CancelToken* cancel) const {
  constexpr auto kPause = std::chrono::milliseconds(10);  // between two looks at the flag
  std::unique_lock lock(id_order_mutex_);
  while (gathering_ids_) {
    id_order_ready_.wait_for(lock, kPause);
    if (cancel != nullptr) CURLEW_RETURN_IF_ERROR(cancel->Check());
  }
  if (id_order_ != nullptr) return id_order_;
  gathering_ids_ = true;
  lock.unlock();
  auto order = IdOrder::Gather(Terms(mapping::kIdField), max_doc(), cancel);
  lock.lock();
  gathering_ids_ = false;
  if (order.ok()) id_order_ = *order;
  id_order_ready_.notify_all();
  return order;
}

absl::StatusOr<std::shared_ptr<const SegmentReader>> SegmentReader::Open(
    std::shared_ptr<store::Directory> directory, const SegmentInfo& info) {
  const codec::StoredCodec* stored_codec = codec::StoredCodec::Find(info.stored_codec);
  if (stored_codec == nullptr) {
    return Corruption(fmt::format("segment {} in {} was written with the unknown codec [{}]",
                                  info.name, directory->path(), Clip(info.stored_codec)));
  }
  store::Directory& files = *directory;
  CURLEW_ASSIGN_OR_RETURN(auto inverted,
                          codec::InvertedReader::Open(files, info.name, info.max_doc));
  CURLEW_ASSIGN_OR_RETURN(auto columns, codec::ColumnReader::Open(files, info.name, info.max_doc));
  CURLEW_ASSIGN_OR_RETURN(auto points, codec::PointsReader::Open(files, info.name, info.max_doc));
  CURLEW_ASSIGN_OR_RETURN(auto norms, codec::NormsReader::Open(files, info.name, info.max_doc));
  CURLEW_ASSIGN_OR_RETURN(auto stored, stored_codec->Open(files, info.name, info.max_doc));
  return std::make_shared<const FileSegmentReader>(info, std::move(inverted), std::move(columns),
                                                   std::move(points), std::move(norms),
                                                   std::move(stored));
}

}  // namespace curlew::index
