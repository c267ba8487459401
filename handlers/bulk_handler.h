// DocumentService.Bulk: convert, apply, answer once everything acknowledged is on stable storage.
#ifndef CURLEW_HANDLERS_BULK_HANDLER_H_
#define CURLEW_HANDLERS_BULK_HANDLER_H_

#include "engine/catalog/catalog.h"
#include "handlers/call.h"

namespace curlew::handlers {

// Request: BulkRequest. Blocks; run it on the write pool. Thread-safe.
void HandleBulk(catalog::Catalog& catalog, const CallPtr& call);

}  // namespace curlew::handlers

#endif  // CURLEW_HANDLERS_BULK_HANDLER_H_
