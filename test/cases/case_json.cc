#include "test/cases/case_json.h"

#include <absl/strings/escaping.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace curlew::test {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

const FieldDescriptor* FindField(const Descriptor& type, const std::string& name) {
  if (const auto* field = type.FindFieldByName(name)) return field;
  return type.FindFieldByCamelcaseName(name);
}

// Applies `leaf` to every bytes value of a message's JSON; leaves everything else.
template <typename Leaf>
Json MapBytes(const Descriptor& type, const Json& json, const Leaf& leaf);

template <typename Leaf>
Json MapValue(const FieldDescriptor& field, const Json& json, const Leaf& leaf) {
  if (field.type() == FieldDescriptor::TYPE_BYTES) return leaf(json);
  if (field.type() == FieldDescriptor::TYPE_MESSAGE) {
    return MapBytes(*field.message_type(), json, leaf);
  }
  return json;
}

template <typename Leaf>
Json MapBytes(const Descriptor& type, const Json& json, const Leaf& leaf) {
  if (!json.is_object() || type.file()->package() == "google.protobuf") return json;
  Json out = Json::object();
  for (const auto& [key, value] : json.items()) {
    const FieldDescriptor* field = FindField(type, key);
    if (field == nullptr) {
      out[key] = value;
    } else if (field->is_map()) {
      const FieldDescriptor& entry_value = *field->message_type()->map_value();
      Json map = Json::object();
      for (const auto& [name, entry] : value.items())
        map[name] = MapValue(entry_value, entry, leaf);
      out[key] = std::move(map);
    } else if (field->is_repeated() && value.is_array()) {
      Json list = Json::array();
      for (const Json& entry : value) list.push_back(MapValue(*field, entry, leaf));
      out[key] = std::move(list);
    } else {
      out[key] = MapValue(*field, value, leaf);
    }
  }
  return out;
}

bool IsNumber(const Json& json, double& number) {
  if (json.is_number()) {
    number = json.get<double>();
    return true;
  }
  if (!json.is_string()) return false;
  const std::string& text = json.get_ref<const std::string&>();
  char* end = nullptr;
  number = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

bool SameNumber(const Json& want, const Json& got) {
  double a = 0, b = 0;
  if (want.is_string() != got.is_string() || !IsNumber(want, a) || !IsNumber(got, b)) return false;
  if (want.is_number() && want.is_number_float() != got.is_number_float() &&
      std::abs(a) < 9007199254740992.0) {
    return false;  // 1 and 1.0 are different documents
  }
  return std::abs(a - b) <= std::max(1e-6 * std::max(std::abs(a), std::abs(b)), 1e-12);
}

void Compare(const Json& want, const Json& got, const std::string& path,
             const std::set<std::string>& ignored, std::vector<std::string>& out) {
  const auto show = [](const Json& json) { return json.dump().substr(0, 160); };
  if (want.is_object() && got.is_object()) {
    std::set<std::string> keys;
    for (const auto& [key, value] : want.items()) keys.insert(key);
    for (const auto& [key, value] : got.items()) keys.insert(key);
    for (const std::string& key : keys) {
      if (ignored.contains(key)) continue;
      const std::string below = path + "." + key;
      if (!got.contains(key)) {
        out.push_back(below + ": missing, want " + show(want[key]));
      } else if (!want.contains(key)) {
        out.push_back(below + ": extra " + show(got[key]));
      } else {
        Compare(want[key], got[key], below, ignored, out);
      }
    }
  } else if (want.is_array() && got.is_array()) {
    if (want.size() != got.size()) {
      out.push_back(path + ": " + std::to_string(got.size()) + " entries, want " +
                    std::to_string(want.size()));
    }
    for (size_t i = 0; i < std::min(want.size(), got.size()); ++i) {
      Compare(want[i], got[i], path + "[" + std::to_string(i) + "]", ignored, out);
    }
  } else if (want != got && !SameNumber(want, got)) {
    out.push_back(path + ": " + show(got) + ", want " + show(want));
  }
}

}  // namespace

std::string Base64Decode(const std::string& text) {
  std::string bytes;
  if (!absl::Base64Unescape(text, &bytes)) throw std::runtime_error("not base64: " + text);
  return bytes;
}

std::string Base64Encode(const std::string& bytes) { return absl::Base64Escape(bytes); }

void FromCaseJson(const Json& json, google::protobuf::Message& out) {
  const Json plain = MapBytes(*out.GetDescriptor(), json, [](const Json& value) {
    return value.is_string() ? value : Json(Base64Encode(value.dump()));
  });
  const auto status = google::protobuf::util::JsonStringToMessage(plain.dump(), &out);
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

Json ToCaseJson(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string text;
  const auto status = google::protobuf::util::MessageToJsonString(message, &text, options);
  if (!status.ok()) throw std::runtime_error(status.ToString());
  return MapBytes(*message.GetDescriptor(), Json::parse(text), [](const Json& value) {
    const Json inner = Json::parse(Base64Decode(value.get<std::string>()), nullptr,
                                   /*allow_exceptions=*/false);
    return inner.is_discarded() ? Json{{"base64", value}} : inner;
  });
}

std::vector<std::string> Differences(const Json& want, const Json& got,
                                     const std::vector<std::string>& ignored) {
  std::vector<std::string> out;
  Compare(want, got, "", {ignored.begin(), ignored.end()}, out);
  return out;
}

}  // namespace curlew::test
