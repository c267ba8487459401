#include "engine/mapping/field.h"

namespace curlew::mapping {

std::string_view KindName(FieldKind kind) {
  switch (kind) {
    case FieldKind::kText:
      return "text";
    case FieldKind::kKeyword:
      return "keyword";
    case FieldKind::kLong:
      return "long";
    case FieldKind::kInteger:
      return "integer";
    case FieldKind::kShort:
      return "short";
    case FieldKind::kByte:
      return "byte";
    case FieldKind::kDouble:
      return "double";
    case FieldKind::kFloat:
      return "float";
    case FieldKind::kBoolean:
      return "boolean";
    case FieldKind::kDate:
      return "date";
    case FieldKind::kId:
      return kIdField;
    case FieldKind::kSeqNo:
      return kSeqNoField;
    case FieldKind::kPrimaryTerm:
      return kPrimaryTermField;
    case FieldKind::kVersion:
      return kVersionField;
  }
  return "";
}

}  // namespace curlew::mapping
