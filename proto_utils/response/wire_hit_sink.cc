#include "proto_utils/response/wire_hit_sink.h"

#include <string>
#include <type_traits>
#include <variant>

namespace curlew::proto_utils {
namespace {

// FieldValue.
constexpr int kGeneralNumber = 2;
constexpr int kString = 3;
constexpr int kNullValue = 4;
// GeneralNumber.
constexpr int kInt32 = 1;
constexpr int kInt64 = 2;
constexpr int kFloat = 3;
constexpr int kDouble = 4;
constexpr int kUint64 = 5;

size_t NumberSize(int32_t v) { return wire::VarintFieldSize(kInt32, wire::Signed(v)); }
size_t NumberSize(int64_t v) { return wire::VarintFieldSize(kInt64, wire::Signed(v)); }
size_t NumberSize(uint64_t v) { return wire::VarintFieldSize(kUint64, v); }
size_t NumberSize(float) { return wire::TagSize(kFloat) + sizeof(float); }
size_t NumberSize(double) { return wire::TagSize(kDouble) + sizeof(double); }

char* PutNumber(char* p, int32_t v) { return wire::PutVarintField(p, kInt32, wire::Signed(v)); }
char* PutNumber(char* p, int64_t v) { return wire::PutVarintField(p, kInt64, wire::Signed(v)); }
char* PutNumber(char* p, uint64_t v) { return wire::PutVarintField(p, kUint64, v); }
char* PutNumber(char* p, float v) { return wire::PutFixed32Field(p, kFloat, v); }
char* PutNumber(char* p, double v) { return wire::PutFixed64Field(p, kDouble, v); }

// The messages around a routing value: ObjectMap.fields is a map, an entry of which is {key = 1,
// value = 2}; Value.list_value = 9; ListValue.value = 1; Value.string = 6.
constexpr std::string_view kRoutingKey = "_routing";
struct RoutingSizes {
  size_t string, list, value, entry;

  explicit RoutingSizes(std::string_view text)
      : string(wire::LengthFieldSize(6, text.size())),
        list(wire::LengthFieldSize(1, string)),
        value(wire::LengthFieldSize(9, list)),
        entry(wire::LengthFieldSize(1, kRoutingKey.size()) + wire::LengthFieldSize(2, value)) {}
};

}  // namespace

size_t SortValueSize(const search::SortValue& value) {
  return std::visit(
      [](const auto& v) -> size_t {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return wire::VarintFieldSize(kNullValue, 1);
        } else if constexpr (std::is_same_v<T, std::string>) {
          return wire::LengthFieldSize(kString, v.size());
        } else {
          return wire::LengthFieldSize(kGeneralNumber, NumberSize(v));
        }
      },
      value);
}

char* PutSortValue(char* p, const search::SortValue& value) {
  return std::visit(
      [p](const auto& v) -> char* {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return wire::PutVarintField(p, kNullValue, 1);
        } else if constexpr (std::is_same_v<T, std::string>) {
          return wire::PutBytesField(p, kString, v);
        } else {
          return PutNumber(wire::PutLength(p, kGeneralNumber, NumberSize(v)), v);
        }
      },
      value);
}

size_t RoutingSize(std::string_view text) {
  return wire::LengthFieldSize(1, RoutingSizes(text).entry);
}

char* PutRouting(char* p, std::string_view text) {
  const RoutingSizes sizes(text);
  p = wire::PutLength(p, 1, sizes.entry);
  p = wire::PutBytesField(p, 1, kRoutingKey);
  p = wire::PutLength(p, 2, sizes.value);
  p = wire::PutLength(p, 9, sizes.list);
  p = wire::PutLength(p, 1, sizes.string);
  return wire::PutBytesField(p, 6, text);
}

}  // namespace curlew::proto_utils
