// JSON of case files to messages and back: proto3 JSON, in which bytes fields are shown as JSON
// values where they hold JSON, else as base64.
#ifndef CURLEW_TEST_CASES_CASE_JSON_H_
#define CURLEW_TEST_CASES_CASE_JSON_H_

#include <google/protobuf/message.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace curlew::test {

// Keeps the order of keys: documents are compared and stored as written.
using Json = nlohmann::ordered_json;

// Throws std::runtime_error naming what does not fit.
void FromCaseJson(const Json& json, google::protobuf::Message& out);
Json ToCaseJson(const google::protobuf::Message& message);

std::string Base64Decode(const std::string& text);
std::string Base64Encode(const std::string& bytes);

// What differs, one line each; keys in `ignored` are not looked at. Numbers are equal within a
// relative 1e-6.
std::vector<std::string> Differences(const Json& want, const Json& got,
                                     const std::vector<std::string>& ignored);

}  // namespace curlew::test

#endif  // CURLEW_TEST_CASES_CASE_JSON_H_
