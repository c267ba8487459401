#include "proto_utils/response/message_hit_sink.h"

#include <string>
#include <type_traits>
#include <variant>

namespace curlew::proto_utils {

using org::opensearch::protobufs::FieldValue;
using org::opensearch::protobufs::HitXScore;
using org::opensearch::protobufs::NULL_VALUE_NULL;

void FillScore(double score, HitXScore& out) {
  if (IsScore(score)) {
    out.set_double_(score);
  } else {
    out.set_null_value(NULL_VALUE_NULL);
  }
}

void FillSortValue(const search::SortValue& value, FieldValue& out) {
  std::visit(
      [&out](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          out.set_null_value(NULL_VALUE_NULL);
        } else if constexpr (std::is_same_v<T, int32_t>) {
          out.mutable_general_number()->set_int32_value(v);
        } else if constexpr (std::is_same_v<T, int64_t>) {
          out.mutable_general_number()->set_int64_value(v);
        } else if constexpr (std::is_same_v<T, uint64_t>) {
          out.mutable_general_number()->set_uint64_value(v);
        } else if constexpr (std::is_same_v<T, float>) {
          out.mutable_general_number()->set_float_value(v);
        } else if constexpr (std::is_same_v<T, double>) {
          out.mutable_general_number()->set_double_value(v);
        } else {
          static_assert(std::is_same_v<T, std::string>);
          out.set_string(v);
        }
      },
      value);
}

void MessageHitSink::Routing(std::string_view text) {
  auto& value = (*hit_.mutable_meta_fields()->mutable_fields())["_routing"];
  value.mutable_list_value()->add_value()->set_string(text.data(), text.size());
}

}  // namespace curlew::proto_utils
