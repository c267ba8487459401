// One mapped field: what its values are and what is kept of them.
#ifndef CURLEW_ENGINE_MAPPING_FIELD_H_
#define CURLEW_ENGINE_MAPPING_FIELD_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/analysis/analyzer.h"
#include "engine/codec/types.h"

namespace curlew::mapping {

enum class FieldKind : uint8_t {
  kText,
  kKeyword,
  kLong,
  kInteger,
  kShort,
  kByte,
  kDouble,
  kFloat,
  kBoolean,
  kDate,
  // Metadata fields: always present, never in a mapping's JSON.
  kId,           // "_id": term
  kSeqNo,        // "_seq_no": column
  kPrimaryTerm,  // "_primary_term": column
  kVersion,      // "_version": column
};

// "text", "keyword", "long", ...
std::string_view KindName(FieldKind kind);

inline constexpr std::string_view kIdField = "_id";
inline constexpr std::string_view kSeqNoField = "_seq_no";
inline constexpr std::string_view kPrimaryTermField = "_primary_term";
inline constexpr std::string_view kVersionField = "_version";
// Terms: the paths of text fields that a document has without a single word (an empty string),
// which nothing else in the index tells.
inline constexpr std::string_view kFieldNamesField = "_field_names";

// Values in columns are integers: long/integer/short/byte as they are, boolean 0/1, date as
// milliseconds since 1970, double by DoubleToSortable, float by FloatToSortable.
// Immutable and shared; owned by its Mapping.
struct MappedField {
  std::string path;  // full, e.g. "author.name.raw"
  FieldKind kind = FieldKind::kText;

  bool indexed = true;     // has terms (text, keyword, boolean) or can be searched by its column
  bool doc_values = true;  // has a column (never text)
  bool store = false;
  bool norms = false;
  codec::IndexOptions index_options = codec::IndexOptions::kDocs;

  const analysis::Analyzer* analyzer = nullptr;         // text
  const analysis::Analyzer* search_analyzer = nullptr;  // text
  int position_increment_gap = 100;                     // text, between the values of an array

  std::optional<uint32_t> ignore_above;  // keyword: longer values (in UTF-16 units) are not indexed
  std::optional<std::string> null_value;  // as JSON text
  std::string format;                     // date; empty = strict_date_optional_time||epoch_millis
  bool coerce = true;
  bool ignore_malformed = false;

  // Whether terms are in the inverted index (else searches go to the column).
  bool has_terms() const {
    return indexed && (kind == FieldKind::kText || kind == FieldKind::kKeyword ||
                       kind == FieldKind::kBoolean || kind == FieldKind::kId);
  }
  bool numeric() const { return kind >= FieldKind::kLong && kind <= FieldKind::kDate; }
};

}  // namespace curlew::mapping

#endif  // CURLEW_ENGINE_MAPPING_FIELD_H_
