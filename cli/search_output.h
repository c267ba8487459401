// An answer for people.
#ifndef CURLEW_CLI_SEARCH_OUTPUT_H_
#define CURLEW_CLI_SEARCH_OUTPUT_H_

#include <string>

namespace org::opensearch::protobufs {
class SearchResponse;
}

namespace curlew::cli {

// The head line (hits, time, shards) and a block for each hit: rank, score or sort values, id, and
// the source on the lines below, a member a line.
std::string FormatSearchResponse(const org::opensearch::protobufs::SearchResponse& response,
                                 int from);

}  // namespace curlew::cli

#endif  // CURLEW_CLI_SEARCH_OUTPUT_H_
