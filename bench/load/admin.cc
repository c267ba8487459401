#include <grpcpp/grpcpp.h>

#include <stdexcept>

#include "bench/load/scenario.h"
#include "protos/curlew/admin/v1/index_service.grpc.pb.h"
#include "protos/opensearch/services/document_service.grpc.pb.h"

namespace curlew::bench {
namespace {

namespace os = org::opensearch::protobufs;

void Require(const grpc::Status& status, const std::string& what) {
  if (!status.ok()) throw std::runtime_error(what + ": " + status.error_message());
}

std::unique_ptr<admin::v1::IndexService::Stub> Admin(const std::string& server) {
  return admin::v1::IndexService::NewStub(
      grpc::CreateChannel(server, grpc::InsecureChannelCredentials()));
}

}  // namespace

void RecreateIndex(const std::string& server, const std::string& name, const std::string& body) {
  const auto stub = Admin(server);
  {
    grpc::ClientContext context;
    admin::v1::DeleteIndexRequest request;
    request.add_index(name);
    request.set_ignore_unavailable(true);
    admin::v1::AcknowledgedResponse response;
    Require(stub->DeleteIndex(&context, request, &response), "delete " + name);
  }
  grpc::ClientContext context;
  admin::v1::CreateIndexRequest request;
  request.set_index(name);
  request.set_body_json(body);
  admin::v1::CreateIndexResponse response;
  Require(stub->CreateIndex(&context, request, &response), "create " + name);
}

void RefreshIndex(const std::string& server, const std::string& name) {
  grpc::ClientContext context;
  admin::v1::IndicesRequest request;
  request.add_index(name);
  admin::v1::BroadcastResponse response;
  Require(Admin(server)->Refresh(&context, request, &response), "refresh " + name);
}

void ForceMergeIndex(const std::string& server, const std::string& name) {
  grpc::ClientContext context;
  admin::v1::ForceMergeRequest request;
  request.add_index(name);
  request.set_max_num_segments(1);
  admin::v1::BroadcastResponse response;
  Require(Admin(server)->ForceMerge(&context, request, &response), "force-merge " + name);
}

IndexSize SizeOfIndex(const std::string& server, const std::string& name) {
  grpc::ClientContext context;
  admin::v1::IndicesRequest request;
  request.add_index(name);
  admin::v1::IndexStatsResponse response;
  Require(Admin(server)->IndexStats(&context, request, &response), "statistics of " + name);
  const admin::v1::IndexStats& stats = response.indices().at(name);
  return {static_cast<double>(stats.store_bytes()), static_cast<double>(stats.stored_bytes())};
}

void LoadDocuments(const std::string& server, const std::string& index,
                   const std::vector<std::pair<std::string, std::string>>& documents) {
  const auto stub = os::services::DocumentService::NewStub(
      grpc::CreateChannel(server, grpc::InsecureChannelCredentials()));
  constexpr size_t kChunk = 2000;
  for (size_t start = 0; start < documents.size(); start += kChunk) {
    os::BulkRequest request;
    request.set_index(index);
    for (size_t i = start; i < std::min(start + kChunk, documents.size()); ++i) {
      os::BulkRequestBody& item = *request.add_bulk_request_body();
      item.mutable_operation_container()->mutable_index()->set_x_id(documents[i].first);
      item.set_object(documents[i].second);
    }
    grpc::ClientContext context;
    os::BulkResponse response;
    Require(stub->Bulk(&context, request, &response), "load into " + index);
    if (response.errors())
      throw std::runtime_error("load into " + index + ": " +
                               response.Utf8DebugString().substr(0, 500));
  }
}

}  // namespace curlew::bench
