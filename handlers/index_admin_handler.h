// curlew.admin.v1.IndexService: one function per rpc; bodies are REST's JSON.
#ifndef CURLEW_HANDLERS_INDEX_ADMIN_HANDLER_H_
#define CURLEW_HANDLERS_INDEX_ADMIN_HANDLER_H_

#include "engine/catalog/catalog.h"
#include "handlers/call.h"

namespace curlew::handlers {

// Requests: the message of the same name in curlew.admin.v1 (Refresh, Flush and IndexStats take an
// IndicesRequest). They block; run them on the admin pool. Thread-safe.
void HandleCreateIndex(catalog::Catalog& catalog, const CallPtr& call);
void HandleDeleteIndex(catalog::Catalog& catalog, const CallPtr& call);
void HandleGetIndex(catalog::Catalog& catalog, const CallPtr& call);
void HandleListIndices(catalog::Catalog& catalog, const CallPtr& call);
void HandlePutMapping(catalog::Catalog& catalog, const CallPtr& call);
void HandleRefresh(catalog::Catalog& catalog, const CallPtr& call);
void HandleFlush(catalog::Catalog& catalog, const CallPtr& call);
void HandleForceMerge(catalog::Catalog& catalog, const CallPtr& call);
void HandleIndexStats(catalog::Catalog& catalog, const CallPtr& call);

}  // namespace curlew::handlers

#endif  // CURLEW_HANDLERS_INDEX_ADMIN_HANDLER_H_
