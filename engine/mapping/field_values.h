// From a scalar of a document to what a field's index holds of it. Functions for any thread;
// a Scalar is a view into the document.
#ifndef CURLEW_ENGINE_MAPPING_FIELD_VALUES_H_
#define CURLEW_ENGINE_MAPPING_FIELD_VALUES_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "engine/mapping/field.h"

namespace curlew::mapping {

// A JSON scalar other than null. `text` is a string's content, a number as it is spelled, or
// true / false.
struct Scalar {
  enum class Kind : uint8_t { kString, kInteger, kFraction, kBool };
  Kind kind = Kind::kString;
  std::string_view text;
};

enum class Encoded : uint8_t {
  kValue,
  kNull,   // counts as null: the empty string in a number field
  kError,  // `error` says why: the cause of the document's failure
};

// For the numeric kinds (numbers, boolean, date): the column value, by OpenSearch's rules of
// coercion.
Encoded EncodeNumber(const MappedField& field, const Scalar& scalar, int64_t& out,
                     absl::Status& error);

// Terms longer than this cannot be indexed (Lucene's limit).
inline constexpr size_t kMaxTermBytes = 32766;

// Whether well-formed UTF-8 has more than `limit` UTF-16 units (how Java counts characters).
bool IsLongerThan(std::string_view utf8, size_t limit);

// mapper_parsing_exception "failed to parse field [x] of type [y]. Preview of field's value: 'z'"
// with `cause` below.
absl::Status FieldError(const MappedField& field, std::string_view preview, absl::Status cause);

}  // namespace curlew::mapping

#endif  // CURLEW_ENGINE_MAPPING_FIELD_VALUES_H_
