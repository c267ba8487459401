#include "test/protos/descriptor_table.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.pb.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

namespace curlew::test {
namespace {

namespace pb = google::protobuf;

std::string ShortName(std::string_view full_name, std::string_view package) {
  if (full_name.starts_with(package) && full_name.substr(package.size()).starts_with('.')) {
    full_name.remove_prefix(package.size() + 1);
  }
  return std::string(full_name);
}

FieldDeclaration Declaration(const pb::FieldDescriptor& field, std::string_view package) {
  FieldDeclaration result;
  result.number = field.number();
  if (field.message_type() != nullptr) {
    result.type = ShortName(field.message_type()->full_name(), package);
  } else if (field.enum_type() != nullptr) {
    result.type = ShortName(field.enum_type()->full_name(), package);
  } else {
    result.type = field.type_name();
  }
  result.repeated = field.is_repeated();
  result.has_presence_keyword = field.has_optional_keyword();
  result.deprecated = field.options().deprecated();
  if (const pb::OneofDescriptor* oneof = field.real_containing_oneof())
    result.oneof = oneof->name();
  return result;
}

void AddEnum(const pb::EnumDescriptor& type, std::string_view package, DeclarationTable* table) {
  const std::string name = ShortName(type.full_name(), package);
  (*table)["enum " + name] = type.options().deprecated() ? "declared, deprecated" : "declared";
  for (int i = 0; i < type.value_count(); ++i) {
    const pb::EnumValueDescriptor& value = *type.value(i);
    (*table)[fmt::format("value {}.{}", name, value.name())] = fmt::format(
        "number {}{}", value.number(), value.options().deprecated() ? ", deprecated" : "");
  }
}

void AddMessage(const pb::Descriptor& type, std::string_view package, DeclarationTable* table) {
  const std::string name = ShortName(type.full_name(), package);
  (*table)["message " + name] = type.options().map_entry() ? "map entry" : "declared";
  for (int i = 0; i < type.field_count(); ++i) {
    const pb::FieldDescriptor& field = *type.field(i);
    (*table)[fmt::format("field {}.{}", name, field.name())] = Render(Declaration(field, package));
    // Clients in JSON (grpcurl) rely on the name that the language derives by itself.
    if (field.json_name() != field.camelcase_name()) {
      (*table)[fmt::format("json name of {}.{}", name, field.name())] = field.json_name();
    }
  }
  for (int i = 0; i < type.extension_count(); ++i) {
    (*table)["extension " + type.extension(i)->full_name()] = "declared";
  }
  for (int i = 0; i < type.enum_type_count(); ++i) AddEnum(*type.enum_type(i), package, table);
  for (int i = 0; i < type.nested_type_count(); ++i) {
    AddMessage(*type.nested_type(i), package, table);
  }
}

void AddService(const pb::ServiceDescriptor& service, std::string_view package,
                DeclarationTable* table) {
  const std::string name = ShortName(service.full_name(), package);
  (*table)["service " + name] = "declared";
  for (int i = 0; i < service.method_count(); ++i) {
    const pb::MethodDescriptor& method = *service.method(i);
    (*table)[fmt::format("method {}.{}", name, method.name())] = RenderMethod(
        ShortName(method.input_type()->full_name(), package), method.client_streaming(),
        ShortName(method.output_type()->full_name(), package), method.server_streaming());
  }
}

}  // namespace

std::string Render(const FieldDeclaration& field) {
  return fmt::format(
      "number {}, type {}{}{}{}{}", field.number, field.type, field.repeated ? ", repeated" : "",
      field.has_presence_keyword ? ", optional" : "",
      field.oneof.empty() ? "" : ", oneof " + field.oneof, field.deprecated ? ", deprecated" : "");
}

std::string RenderMethod(std::string_view request, bool client_streaming, std::string_view response,
                         bool server_streaming) {
  return fmt::format("{}{} -> {}{}", client_streaming ? "stream " : "", request,
                     server_streaming ? "stream " : "", response);
}

std::vector<const pb::FileDescriptor*> FilesUnder(std::string_view folder) {
  const std::filesystem::path root(CURLEW_SOURCE_DIR);
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
    if (entry.path().extension() == ".proto") {
      names.push_back(entry.path().lexically_relative(root).generic_string());
    }
  }
  std::sort(names.begin(), names.end());
  std::vector<const pb::FileDescriptor*> files;
  for (const std::string& name : names) {
    INFO(name << " is not linked in; is it listed in protos/CMakeLists.txt?");
    const pb::FileDescriptor* file = pb::DescriptorPool::generated_pool()->FindFileByName(name);
    REQUIRE(file != nullptr);
    files.push_back(file);
  }
  return files;
}

void AddDeclarations(const pb::FileDescriptor& file, std::string_view package,
                     DeclarationTable* table) {
  for (int i = 0; i < file.message_type_count(); ++i) {
    AddMessage(*file.message_type(i), package, table);
  }
  for (int i = 0; i < file.enum_type_count(); ++i) AddEnum(*file.enum_type(i), package, table);
  for (int i = 0; i < file.service_count(); ++i) AddService(*file.service(i), package, table);
  for (int i = 0; i < file.extension_count(); ++i) {
    (*table)["extension " + file.extension(i)->full_name()] = "declared";
  }
}

std::vector<std::string> Differences(const DeclarationTable& expected,
                                     const DeclarationTable& actual) {
  std::vector<std::string> lines;
  for (const auto& [name, declaration] : expected) {
    const auto found = actual.find(name);
    if (found == actual.end()) {
      lines.push_back(fmt::format("missing: {} ({})", name, declaration));
    } else if (found->second != declaration) {
      lines.push_back(
          fmt::format("different: {}: is {}; must be {}", name, found->second, declaration));
    }
  }
  for (const auto& [name, declaration] : actual) {
    if (!expected.contains(name)) {
      lines.push_back(fmt::format("not in the contract: {} ({})", name, declaration));
    }
  }
  return lines;
}

}  // namespace curlew::test
