// Queries that only tell how they were made. Linked into the tests of the request converters in
// place of the engine's, so that a test can read what a converter asked for.
#ifndef CURLEW_TEST_PROTO_UTILS_DESCRIBED_QUERY_H_
#define CURLEW_TEST_PROTO_UTILS_DESCRIBED_QUERY_H_

#include <string>

#include "engine/mapping/query_value.h"
#include "engine/search/query/query.h"

namespace curlew::test {

// Such as `term(field=title value="fox" boost=2)`; options at their defaults are left out.
std::string Describe(const search::QueryPtr& query);

std::string DescribeValue(const mapping::QueryValue& value);

}  // namespace curlew::test

#endif  // CURLEW_TEST_PROTO_UTILS_DESCRIBED_QUERY_H_
