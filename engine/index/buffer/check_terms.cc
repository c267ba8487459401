#include "engine/index/buffer/check_terms.h"

#include <fmt/format.h>

#include "engine/util/error.h"

namespace curlew::index {

namespace {

absl::Status ImmenseTerm(const std::string& field, std::string_view term) {
  ErrorDetails cause;
  cause.type = "max_bytes_length_exceeded_exception";
  cause.rest_status = 400;
  cause.reason =
      fmt::format("bytes can be at most {} in length; got {}", kMaxTermBytes, term.size());
  ErrorDetails details;
  details.type = "illegal_argument_exception";
  details.rest_status = 400;
  details.reason = fmt::format(
      "a term of field [{}] takes more than {} bytes of UTF-8 and cannot be indexed; it starts "
      "with [{}]",
      field, kMaxTermBytes, Clip(term, 30));
  details.cause = std::make_shared<const ErrorDetails>(std::move(cause));
  return MakeError(std::move(details));
}

}  // namespace

absl::Status CheckTerms(const mapping::ParsedDocument& document, TokenStreams& streams) {
  for (const mapping::FieldValue& value : document.values) {
    // No token is longer than its text (but for a few bytes of folding, far below the limit when
    // the tokenizer splits).
    if (value.bytes.size() <= kMaxTermBytes / 2) continue;
    const mapping::MappedField& field = *value.field;
    if (field.kind == mapping::FieldKind::kKeyword && value.bytes.size() > kMaxTermBytes) {
      if (field.has_terms()) return ImmenseTerm(field.path, value.bytes);
      if (field.doc_values) {
        return IllegalArgument(
            fmt::format("the value of field [{}] takes {} bytes, a column's "
                        "value at most {}",
                        field.path, value.bytes.size(), kMaxTermBytes));
      }
    }
    if (field.kind == mapping::FieldKind::kText && field.has_terms() && field.analyzer != nullptr) {
      analysis::TokenStream& stream = streams.Get(*field.analyzer);
      stream.Reset(value.bytes);
      analysis::Token token;
      while (stream.Next(token)) {
        if (token.term.size() > kMaxTermBytes) return ImmenseTerm(field.path, token.term);
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace curlew::index
