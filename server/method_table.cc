#include "server/method_table.h"

#include <cstdlib>

#include "handlers/bulk_handler.h"
#include "handlers/index_admin_handler.h"
#include "handlers/search_handler.h"
#include "protos/curlew/admin/v1/index_service.pb.h"
#include "protos/curlew/admin/v1/node_service.pb.h"
#include "protos/curlew/document/v1/document_service.pb.h"
#include "protos/opensearch/services/document_service.pb.h"
#include "protos/opensearch/services/search_service.pb.h"

namespace curlew::server {
namespace {

using DescriptorTable = google::protobuf::internal::DescriptorTable;

// By the generated table of its file and not by name alone: where a file has services but no
// messages, only a reference to its table makes the linker take it from the library.
const google::protobuf::ServiceDescriptor& Find(const DescriptorTable& file,
                                                const std::string& service) {
  const auto* found = google::protobuf::DescriptorPool::generated_pool()
                          ->FindFileByName(file.filename)
                          ->FindServiceByName(service);
  if (found == nullptr) std::abort();
  return *found;
}

}  // namespace

std::vector<std::unique_ptr<DescribedService>> MakeServices(const MethodTableSources& sources) {
  const auto on = [&sources](ThreadPool* pool,
                             void (*handle)(catalog::Catalog&, const handlers::CallPtr&),
                             bool checks_fields = false) {
    return Binding{pool,
                   [handle, catalog = sources.catalog](const handlers::CallPtr& call) {
                     handle(*catalog, call);
                   },
                   checks_fields};
  };
  constexpr bool kChecksFields = true;
  std::vector<std::unique_ptr<DescribedService>> services;
  const auto add = [&](const DescriptorTable& file, const std::string& name,
                       const std::map<std::string, Binding>& bindings) {
    services.push_back(
        std::make_unique<DescribedService>(Find(file, name), bindings, *sources.admission));
  };

  add(descriptor_table_protos_2fopensearch_2fservices_2fsearch_5fservice_2eproto, "SearchService",
      {{"Search",
        Binding{sources.search,
                [catalog = sources.catalog, pool = sources.search](const handlers::CallPtr& call) {
                  handlers::HandleSearch(*catalog, pool, call);
                },
                kChecksFields}}});
  add(descriptor_table_protos_2fopensearch_2fservices_2fdocument_5fservice_2eproto,
      "DocumentService", {{"Bulk", on(sources.write, handlers::HandleBulk, kChecksFields)}});
  add(descriptor_table_protos_2fcurlew_2fadmin_2fv1_2findex_5fservice_2eproto, "IndexService",
      {{"CreateIndex", on(sources.admin, handlers::HandleCreateIndex)},
       {"DeleteIndex", on(sources.admin, handlers::HandleDeleteIndex)},
       {"GetIndex", on(sources.admin, handlers::HandleGetIndex)},
       {"ListIndices", on(sources.admin, handlers::HandleListIndices)},
       {"PutMapping", on(sources.admin, handlers::HandlePutMapping)},
       {"Refresh", on(sources.admin, handlers::HandleRefresh)},
       {"Flush", on(sources.admin, handlers::HandleFlush)},
       {"ForceMerge", on(sources.admin, handlers::HandleForceMerge)},
       {"IndexStats", on(sources.admin, handlers::HandleIndexStats)}});
  add(descriptor_table_protos_2fcurlew_2fadmin_2fv1_2fnode_5fservice_2eproto, "NodeService",
      sources.node_service);
  add(descriptor_table_protos_2fcurlew_2fdocument_2fv1_2fdocument_5fservice_2eproto, "GetService",
      {});
  return services;
}

}  // namespace curlew::server
