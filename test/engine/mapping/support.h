// What the mapping tests share: an index's mapping as a shard drives it, and reading test data.
#ifndef CURLEW_TEST_ENGINE_MAPPING_SUPPORT_H_
#define CURLEW_TEST_ENGINE_MAPPING_SUPPORT_H_

#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/analysis/registry.h"
#include "engine/mapping/document_parser.h"
#include "engine/mapping/json_value.h"
#include "engine/mapping/mapping.h"
#include "engine/util/error.h"

namespace curlew::mapping::test {

inline const analysis::AnalyzerRegistry& Analyzers() {
  return analysis::AnalyzerRegistry::BuiltIn();
}

inline absl::StatusOr<std::shared_ptr<const Mapping>> ParseMapping(std::string_view json,
                                                                   MappingLimits limits = {}) {
  return Mapping::Parse(json, Analyzers(), limits);
}

// A value of a document, spelled out: "path=text" or "path=number".
using Values = std::vector<std::string>;

// An index's mapping that grows by the documents it is given.
class Index {
 public:
  explicit Index(std::string_view mapping = "", MappingLimits limits = {})
      : limits_(limits),
        service_(ParseMapping(mapping, limits).value(), limits, Analyzers(), nullptr) {}

  // The values of a document, as a shard takes it: mapping updates applied until there is none.
  absl::StatusOr<Values> Add(std::string_view source) {
    for (;;) {
      const std::shared_ptr<const Mapping> mapping = service_.current();
      CURLEW_RETURN_IF_ERROR(parser_.Parse(source, *mapping, limits_, document_));
      if (document_.mapping_update.empty()) return Spell();
      CURLEW_RETURN_IF_ERROR(service_.Update(document_.mapping_update));
    }
  }

  std::string Json() const { return service_.current()->ToJson(); }
  std::shared_ptr<const Mapping> mapping() const { return service_.current(); }

 private:
  Values Spell() const {
    Values out;
    for (const FieldValue& v : document_.values) {
      const bool text = v.field->kind == FieldKind::kText || v.field->kind == FieldKind::kKeyword;
      out.push_back(v.field->path + "=" + (text ? std::string(v.bytes) : std::to_string(v.number)));
    }
    return out;
  }

  MappingLimits limits_;
  MapperService service_;
  DocumentParser parser_;
  ParsedDocument document_;
};

// type of the error, or "" for OK.
inline std::string TypeOf(const absl::Status& status) {
  return status.ok() ? "" : DescribeError(status).type;
}

inline std::vector<std::string> ReadLines(const std::string& name) {
  std::ifstream in(std::string(CURLEW_SOURCE_DIR) + "/test/data/" + name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

inline std::string ToJson(const JsonValue& value) {
  std::string out;
  value.AppendJson(out);
  return out;
}

// Equal whatever the order of keys.
inline bool SameJson(const JsonValue& a, const JsonValue& b) {
  if (a.kind != b.kind || a.members.size() != b.members.size() ||
      a.items.size() != b.items.size()) {
    return false;
  }
  for (const auto& [key, value] : a.members) {
    const JsonValue* other = b.Find(key);
    if (other == nullptr || !SameJson(value, *other)) return false;
  }
  for (size_t i = 0; i < a.items.size(); ++i) {
    if (!SameJson(a.items[i], b.items[i])) return false;
  }
  return a.AsText() == b.AsText();
}

}  // namespace curlew::mapping::test

#endif  // CURLEW_TEST_ENGINE_MAPPING_SUPPORT_H_
