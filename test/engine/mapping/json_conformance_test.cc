// Nicolas Seriot's JSON test suite (MIT; test/data/json): y_ has to be accepted, n_ refused, i_ is
// left to the implementation. Documents are objects, so other texts are put below a name.
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "test/engine/mapping/support.h"

namespace curlew::mapping::test {
namespace {

// The i_ files that are accepted: numbers beyond a double's range where any text will do, and deep
// nesting (with the mapping's limit out of the way). Refused are ill-formed UTF-8, halves of
// surrogate pairs, and UTF-16.
const std::set<std::string> kAcceptedFreely = {
    "i_number_double_huge_neg_exp.json", "i_number_huge_exp.json",
    "i_number_neg_int_huge_exp.json",    "i_number_pos_double_huge_exp.json",
    "i_number_real_neg_overflow.json",   "i_number_real_pos_overflow.json",
    "i_number_real_underflow.json",      "i_number_too_big_neg_int.json",
    "i_number_too_big_pos_int.json",     "i_number_very_big_negative_int.json",
    "i_structure_500_nested_arrays.json"};

// Valid JSON that is no valid document: a name given twice, and an empty one where names count.
bool IsRefusedDocument(const std::string& name, bool at_root) {
  return name == "y_object_duplicated_key.json" ||
         name == "y_object_duplicated_key_and_value.json" ||
         (name == "y_object_empty_key.json" && at_root);
}

TEST_CASE("the JSON test suite") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(CURLEW_SOURCE_DIR) / "test/data/json/test_parsing";
  // Nothing is kept, all is read: below an object that is not enabled, and as ignored fields.
  const auto off =
      ParseMapping(R"({"dynamic":false,"properties":{"a":{"type":"object","enabled":false}}})")
          .value();
  MappingLimits limits;
  limits.depth = 100'000;  // nesting is limited by the reader all the same
  DocumentParser parser;
  ParsedDocument out;
  int files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    std::ifstream in(entry.path(), std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    ++files;
    INFO(name);
    const size_t start = text.find_first_not_of(" \t\r\n");
    const bool is_object = start != std::string::npos && text[start] == '{';
    std::vector<std::string> forms = {"{\"a\": " + text + "}", "{\"b\": " + text + "}"};
    if (is_object) forms.push_back(text);
    for (const std::string& form : forms) {
      const absl::Status status = parser.Parse(form, *off, limits, out);
      INFO(status.ToString());
      if (name[0] == 'y') {
        CHECK(status.ok() != IsRefusedDocument(name, &form == &forms.back() && is_object));
      } else if (name[0] == 'i') {
        CHECK(status.ok() == kAcceptedFreely.contains(name));
      } else {
        CHECK_FALSE(status.ok());
      }
    }
  }
  CHECK(files == 318);
}

}  // namespace
}  // namespace curlew::mapping::test
