// The limit on a term's length, looked at before a document touches the buffer.
#ifndef CURLEW_ENGINE_INDEX_BUFFER_CHECK_TERMS_H_
#define CURLEW_ENGINE_INDEX_BUFFER_CHECK_TERMS_H_

#include "absl/status/status.h"
#include "engine/index/buffer/token_streams.h"
#include "engine/mapping/document_parser.h"

namespace curlew::index {

// Lucene's limits: IndexWriter.MAX_TERM_LENGTH, and the same for a value of a string column.
inline constexpr size_t kMaxTermBytes = 32766;

// illegal_argument_exception naming the field when a term would be too long. OpenSearch finds this
// out after the operation got its sequence number, so the number is spent.
absl::Status CheckTerms(const mapping::ParsedDocument& document, TokenStreams& streams);

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_BUFFER_CHECK_TERMS_H_
