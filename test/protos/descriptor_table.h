// Renders what a set of .proto files declares as a flat table, so that a test can compare it line
// by line with what a contract asks for.
#ifndef CURLEW_TEST_PROTOS_DESCRIPTOR_TABLE_H_
#define CURLEW_TEST_PROTOS_DESCRIPTOR_TABLE_H_

#include <google/protobuf/descriptor.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace curlew::test {

// The name of a declared thing ("field Script.inline") to everything that callers can observe of it
// ("number 1, type InlineScript, oneof script").
using DeclarationTable = std::map<std::string, std::string>;

// One field before rendering; both sides of a comparison fill it and share Render().
struct FieldDeclaration {
  int number = 0;
  // A scalar type of the language, or the name of a message or enum.
  std::string type;
  bool repeated = false;
  // Carries the word `optional`.
  bool has_presence_keyword = false;
  bool deprecated = false;
  // Empty outside of a oneof.
  std::string oneof = {};
};

std::string Render(const FieldDeclaration& field);

// "Request -> Response", with `stream ` before what is streamed.
std::string RenderMethod(std::string_view request, bool client_streaming, std::string_view response,
                         bool server_streaming);

// Every file that lies under the folder (relative to the repository root) and is linked in, in the
// order of their names. Fails the test for a file that is not linked in.
std::vector<const google::protobuf::FileDescriptor*> FilesUnder(std::string_view folder);

// Adds all messages, enums, fields, values, services and methods of a file. Names of the package,
// and of services in its sub-package `services`, are written without `package` in front.
void AddDeclarations(const google::protobuf::FileDescriptor& file, std::string_view package,
                     DeclarationTable* table);

// One line for each difference, readable without the source of either side.
std::vector<std::string> Differences(const DeclarationTable& expected,
                                     const DeclarationTable& actual);

}  // namespace curlew::test

#endif  // CURLEW_TEST_PROTOS_DESCRIPTOR_TABLE_H_
