// SearchService.Search: convert, query phase, fetch phase straight into the response buffer,
// finish.
#ifndef CURLEW_HANDLERS_SEARCH_HANDLER_H_
#define CURLEW_HANDLERS_SEARCH_HANDLER_H_

#include "engine/catalog/catalog.h"
#include "engine/util/thread_pool.h"
#include "handlers/call.h"

namespace curlew::handlers {

// Request: SearchRequest. Blocks; run it on the search pool, idle threads of which (`pool`, may be
// null) help with large results. Thread-safe.
void HandleSearch(catalog::Catalog& catalog, ThreadPool* pool, const CallPtr& call);

}  // namespace curlew::handlers

#endif  // CURLEW_HANDLERS_SEARCH_HANDLER_H_
