#include "engine/codec/points/points_reader.h"

#include <utility>

#include "engine/codec/field_table.h"
#include "engine/codec/points/mapped_boxes.h"
#include "engine/codec/points/mapped_numbers.h"
#include "engine/codec/points/points_format.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

class Reader final : public PointsReader {
 public:
  absl::Status Load(store::CheckedFile file, DocId max_doc) {
    file_ = std::move(file);
    return ReadFieldTable(
        file_, max_doc, "points", [&](const std::string& name, ByteReader& in) -> absl::Status {
          const uint8_t kind = in.Byte();
          if (kind > static_cast<uint8_t>(PointsKind::kBoxes)) {
            return Corruption(fmt::format("{}: points [{}] are of unknown kind {}", file_.name(),
                                          Clip(name), kind));
          }
          return kind == static_cast<uint8_t>(PointsKind::kNumbers)
                     ? numbers_[name].Load(file_, in, max_doc)
                     : boxes_[name].Load(file_, in, max_doc);
        });
  }

  const NumberPoints* Numbers(std::string_view field) const override {
    return FindField(numbers_, field);
  }
  const BoxPoints* Boxes(std::string_view field) const override { return FindField(boxes_, field); }
  std::vector<std::string> number_fields() const override { return FieldNames(numbers_); }
  std::vector<std::string> box_fields() const override { return FieldNames(boxes_); }

 private:
  store::CheckedFile file_;
  ByField<MappedNumbers> numbers_;
  ByField<MappedBoxes> boxes_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<PointsReader>> PointsReader::Open(store::Directory& directory,
                                                                 const std::string& segment,
                                                                 DocId max_doc, bool verify) {
  CURLEW_ASSIGN_OR_RETURN(auto file, store::CheckedFile::Open(directory, PointsFileName(segment),
                                                              kPointsFormat, segment, verify));
  auto reader = std::make_unique<Reader>();
  CURLEW_RETURN_IF_ERROR(reader->Load(std::move(file), max_doc));
  return reader;
}

}  // namespace curlew::codec
