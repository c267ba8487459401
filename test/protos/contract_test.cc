// The generated code of protos/opensearch against the contract that official clients are built on,
// test/data/wire-contract.json, in both directions.
//
// MLService and what only it uses are left out: those calls belong to a plugin that runs models.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "test/protos/descriptor_table.h"

namespace curlew::test {
namespace {

constexpr std::string_view kPackage = "org.opensearch.protobufs";
constexpr std::string_view kLeftOutService = "services.MLService";

const std::set<std::string> kLeftOutTypes = {
    "ByteBuffer",
    "ByteOrder",
    "ColumnMeta",
    "ColumnType",
    "DataAsMap",
    "InferenceResults",
    "MLExecuteAgentStreamRequestBody",
    "MLPredictModelStreamRequestBody",
    "Messages",
    "MlExecuteAgentStreamRequest",
    "MlPredictModelStreamRequest",
    "MlResultDataType",
    "Output",
    "Parameters",
    "PredictResponse",
    "PredictionResult",
    "Rows",
    "Status",
    "Values",
};

// The contract file, read once; throws simdjson_error where it is not of the expected form.
class Contract {
 public:
  Contract()
      : root_(parser_.load(std::string(CURLEW_SOURCE_DIR) + "/test/data/wire-contract.json")) {}

  simdjson::dom::object Section(std::string_view name) const { return root_[name]; }

  // The name of a service without the package in front.
  static std::string ServiceName(std::string_view full_name) {
    REQUIRE(full_name.starts_with(kPackage));
    return std::string(full_name.substr(kPackage.size() + 1));
  }

  // Messages and enums that the methods of the chosen services reach. The enclosing type of a map
  // entry or another nested type counts as reached with it.
  template <typename Predicate>
  std::set<std::string> ReachableFrom(Predicate chosen) const {
    std::set<std::string> reached;
    for (auto [service, methods] : Section("services")) {
      if (!chosen(ServiceName(service))) continue;
      for (auto [method, signature] : simdjson::dom::object(methods)) {
        Reach(signature.at(0), &reached);
        Reach(signature.at(1), &reached);
      }
    }
    return reached;
  }

 private:
  void Reach(std::string_view type, std::set<std::string>* reached) const {
    if (!reached->emplace(type).second) return;
    simdjson::dom::element message;
    if (Section("messages").at_key(type).get(message) != simdjson::SUCCESS) return;  // an enum
    for (simdjson::dom::element field : simdjson::dom::array(message["fields"])) {
      std::string_view of;
      if (field["of"].get(of) == simdjson::SUCCESS) Reach(of, reached);
    }
    if (const size_t dot = type.find('.'); dot != std::string_view::npos) {
      Reach(type.substr(0, dot), reached);
    }
  }

  simdjson::dom::parser parser_;
  simdjson::dom::element root_;
};

bool Flag(simdjson::dom::element object, std::string_view name) {
  bool value = false;
  return object[name].get(value) == simdjson::SUCCESS && value;
}

FieldDeclaration ReadField(simdjson::dom::element json) {
  FieldDeclaration field;
  field.number = static_cast<int>(int64_t(json["number"]));
  std::string_view text;
  field.type = json["of"].get(text) == simdjson::SUCCESS
                   ? std::string(text)
                   : std::string(std::string_view(json["type"]));
  field.repeated = Flag(json, "repeated");
  field.has_presence_keyword = Flag(json, "optional");
  field.deprecated = Flag(json, "deprecated");
  if (json["oneof"].get(text) == simdjson::SUCCESS) field.oneof = text;
  return field;
}

DeclarationTable ReadDeclarations(const Contract& contract) {
  DeclarationTable table;
  for (auto [name, values] : contract.Section("enums")) {
    if (kLeftOutTypes.contains(std::string(name))) continue;
    table[fmt::format("enum {}", name)] = "declared";
    for (auto [value, number] : simdjson::dom::object(values)) {
      table[fmt::format("value {}.{}", name, value)] = fmt::format("number {}", int64_t(number));
    }
  }
  for (auto [name, message] : contract.Section("messages")) {
    if (kLeftOutTypes.contains(std::string(name))) continue;
    table[fmt::format("message {}", name)] = Flag(message, "map_entry") ? "map entry" : "declared";
    for (simdjson::dom::element field : simdjson::dom::array(message["fields"])) {
      table[fmt::format("field {}.{}", name, std::string_view(field["name"]))] =
          Render(ReadField(field));
    }
  }
  for (auto [full_name, methods] : contract.Section("services")) {
    const std::string name = Contract::ServiceName(full_name);
    if (name == kLeftOutService) continue;
    table["service " + name] = "declared";
    for (auto [method, signature] : simdjson::dom::object(methods)) {
      table[fmt::format("method {}.{}", name, method)] =
          RenderMethod(std::string_view(signature.at(0)), /*client_streaming=*/false,
                       std::string_view(signature.at(1)), bool(signature.at(2)));
    }
  }
  return table;
}

TEST_CASE("The contract file is whole") {
  const Contract contract;
  size_t fields = 0;
  for (auto [name, message] : contract.Section("messages")) {
    fields += simdjson::dom::array(message["fields"]).size();
  }
  CHECK(contract.Section("services").size() == 3);
  CHECK(contract.Section("enums").size() == 44);
  CHECK(contract.Section("messages").size() == 231);
  CHECK(fields == 1077);
}

TEST_CASE("What is left out of the contract is MLService and what only it uses") {
  const Contract contract;
  std::set<std::string> only_left_out =
      contract.ReachableFrom([](const std::string& service) { return service == kLeftOutService; });
  for (const std::string& type : contract.ReachableFrom(
           [](const std::string& service) { return service != kLeftOutService; })) {
    only_left_out.erase(type);
  }
  CHECK(only_left_out == kLeftOutTypes);
}

TEST_CASE("The generated descriptors equal the wire contract in both directions") {
  const Contract contract;
  const DeclarationTable expected = ReadDeclarations(contract);
  DeclarationTable actual;
  for (const google::protobuf::FileDescriptor* file : FilesUnder("protos/opensearch")) {
    CHECK(file->syntax() == google::protobuf::FileDescriptor::SYNTAX_PROTO3);
    const bool in_package =
        file->package() == kPackage || file->package() == std::string(kPackage) + ".services";
    INFO(file->name() << " is in package " << file->package());
    CHECK(in_package);
    AddDeclarations(*file, kPackage, &actual);
  }
  const std::vector<std::string> differences = Differences(expected, actual);
  INFO(fmt::format("{}", fmt::join(differences, "\n")));
  CHECK(differences.empty());
}

TEST_CASE("A difference from the contract is found and named") {
  const DeclarationTable expected = {{"field A.x", "number 1, type string"},
                                     {"field A.y", "number 2, type bool, oneof z"},
                                     {"message A", "declared"}};
  DeclarationTable actual = expected;
  CHECK(Differences(expected, actual).empty());
  actual["field A.y"] = "number 2, type bool";
  actual.erase("field A.x");
  actual["value B.C"] = "number 0";
  CHECK(Differences(expected, actual) ==
        std::vector<std::string>{"missing: field A.x (number 1, type string)",
                                 "different: field A.y: is number 2, type bool; must be number 2, "
                                 "type bool, oneof z",
                                 "not in the contract: value B.C (number 0)"});
}

}  // namespace
}  // namespace curlew::test
