// Queries as the public search benchmarks write them: words, +words that have to be there, -words
// that must not, "phrases".
#ifndef CURLEW_BENCH_TEXT_QUERY_LINE_H_
#define CURLEW_BENCH_TEXT_QUERY_LINE_H_

#include <string_view>

#include "engine/search/query/query.h"

namespace curlew::bench {

// Over `field`. A word that analysis splits is found by any of its parts.
search::QueryPtr ParseQueryLine(std::string_view line, std::string_view field);

}  // namespace curlew::bench

#endif  // CURLEW_BENCH_TEXT_QUERY_LINE_H_
