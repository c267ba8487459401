#include "engine/codec/points/points_reader.h"

#include <map>
#include <utility>

#include "engine/codec/points/mapped_boxes.h"
#include "engine/codec/points/mapped_numbers.h"
#include "engine/codec/points/points_format.h"
#include "engine/codec/sections.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

template <typename Points>
using ByField = std::map<std::string, Points, std::less<>>;

template <typename Points>
const Points* Find(const ByField<Points>& fields, std::string_view field) {
  const auto it = fields.find(field);
  return it == fields.end() ? nullptr : &it->second;
}

template <typename Points>
std::vector<std::string> NamesOf(const ByField<Points>& fields) {
  std::vector<std::string> names;
  for (const auto& [name, points] : fields) names.push_back(name);
  return names;
}

class Reader final : public PointsReader {
 public:
  absl::Status Load(store::CheckedFile file, DocId max_doc) {
    file_ = std::move(file);
    CURLEW_ASSIGN_OR_RETURN(ByteReader in, OpenContents(file_));
    const uint64_t docs = in.Varint();
    if (docs != max_doc) {
      return Corruption(
          fmt::format("{}: has {} documents instead of {}", file_.name(), docs, max_doc));
    }
    const uint64_t count = in.Varint();
    for (uint64_t i = 0; i < count && !in.failed(); ++i) {
      const std::string name(in.String());
      const uint8_t kind = in.Byte();
      if (in.failed()) break;
      if (kind > static_cast<uint8_t>(PointsKind::kBoxes)) {
        return Corruption(
            fmt::format("{}: points [{}] are of unknown kind {}", file_.name(), Clip(name), kind));
      }
      if (numbers_.contains(name) || boxes_.contains(name)) {
        return Corruption(fmt::format("{}: points [{}] twice", file_.name(), Clip(name)));
      }
      CURLEW_RETURN_IF_ERROR(kind == static_cast<uint8_t>(PointsKind::kNumbers)
                                 ? numbers_[name].Load(file_, in, max_doc)
                                 : boxes_[name].Load(file_, in, max_doc));
    }
    if (in.failed() || !in.AtEnd()) {
      return Corruption(file_.name() + ": the table of contents is damaged");
    }
    return absl::OkStatus();
  }

  const NumberPoints* Numbers(std::string_view field) const override {
    return Find(numbers_, field);
  }
  const BoxPoints* Boxes(std::string_view field) const override { return Find(boxes_, field); }
  std::vector<std::string> number_fields() const override { return NamesOf(numbers_); }
  std::vector<std::string> box_fields() const override { return NamesOf(boxes_); }

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
