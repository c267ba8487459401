// A JSON document on its way into the index: source bytes and a mapping in, field values out.
#ifndef CURLEW_ENGINE_MAPPING_DOCUMENT_PARSER_H_
#define CURLEW_ENGINE_MAPPING_DOCUMENT_PARSER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "engine/mapping/mapping.h"

namespace curlew::mapping {

// One value of one field. Text: `bytes` is to be analysed. Keyword: `bytes` is the term. Numbers,
// booleans and dates: `number`, encoded as MappedField says. Arrays give several values, in order.
struct FieldValue {
  const MappedField* field = nullptr;
  std::string_view bytes;
  int64_t number = 0;
};

// What a document holds. Reused from document to document; views point into the parser's memory and
// into the source and are valid until the parser's next Parse.
struct ParsedDocument {
  std::vector<FieldValue> values;
  // Not empty: the document has fields that the mapping lacks. It is the JSON of a mapping update
  // ({"properties": ...}); `values` is then incomplete: apply the update, parse again.
  std::string mapping_update;
};

// Reusable (keeps its buffers); one thread at a time.
class DocumentParser {
 public:
  DocumentParser();
  ~DocumentParser();

  // Strict UTF-8 and JSON; objects nested up to the mapping's depth limit. Errors are what
  // OpenSearch reports for the document: mapper_parsing_exception (with its cause),
  // strict_dynamic_mapping_ exception, illegal_argument_exception; they name the field and the
  // value.
  absl::Status Parse(std::string_view source, const Mapping& mapping, const MappingLimits& limits,
                     ParsedDocument& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace curlew::mapping

#endif  // CURLEW_ENGINE_MAPPING_DOCUMENT_PARSER_H_
