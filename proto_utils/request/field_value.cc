#include "proto_utils/request/field_value.h"

#include <string>

#include "engine/util/error.h"
#include "proto_utils/request/refusal.h"
#include "protos/opensearch/value.pb.h"

namespace curlew::proto_utils {

using org::opensearch::protobufs::FieldValue;
using org::opensearch::protobufs::GeneralNumber;

namespace {

const char* ReadNumber(const GeneralNumber& number, mapping::QueryValue& out) {
  switch (number.value_case()) {
    case GeneralNumber::kInt32Value:
      out = static_cast<int64_t>(number.int32_value());
      return nullptr;
    case GeneralNumber::kInt64Value:
      out = static_cast<int64_t>(number.int64_value());
      return nullptr;
    case GeneralNumber::kFloatValue:
      out = number.float_value();
      return nullptr;
    case GeneralNumber::kDoubleValue:
      out = number.double_value();
      return nullptr;
    case GeneralNumber::kUint64Value:
      out = static_cast<uint64_t>(number.uint64_value());
      return nullptr;
    case GeneralNumber::VALUE_NOT_SET:
      break;
  }
  return "the general_number has no value";
}

}  // namespace

const char* ReadFieldValue(const FieldValue& value, mapping::QueryValue& out) {
  if (value.has_general_number()) return ReadNumber(value.general_number(), out);
  if (value.has_string()) {
    out = value.string();
  } else if (value.has_bool_()) {
    out = value.bool_();
  } else if (value.has_null_value()) {
    out = std::monostate();
  } else {
    return "the FieldValue has no value (one of general_number, string, bool, null_value)";
  }
  return nullptr;
}

absl::Status ConvertFieldValue(const FieldValue& value, std::string_view path,
                               mapping::QueryValue& out) {
  CURLEW_RETURN_IF_ERROR(RefuseUnknown(value, path));
  if (const char* problem = ReadFieldValue(value, out)) return Invalid(path, problem);
  return absl::OkStatus();
}

}  // namespace curlew::proto_utils
