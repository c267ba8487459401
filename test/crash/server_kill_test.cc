// Kill -9 of a whole server under Bulk: everything that a client was told is there after the
// restart, and nothing that no client asked for.
#include <fmt/format.h>
#include <grpcpp/grpcpp.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "protos/opensearch/services/document_service.grpc.pb.h"
#include "protos/opensearch/services/search_service.grpc.pb.h"
#include "test/crash/expected.h"
#include "test/support/random.h"
#include "test/support/server_process.h"
#include "test/support/temp_folder.h"

namespace curlew::test {
namespace {

namespace os = org::opensearch::protobufs;

constexpr char kIndex[] = "crash";
constexpr int kClients = 2;
constexpr int kIdsPerClient = 100;

std::shared_ptr<grpc::Channel> ChannelTo(const ServerProcess& server) {
  return grpc::CreateChannel(server.address(), grpc::InsecureChannelCredentials());
}

const os::ResponseItem& ItemOf(const os::Item& item) {
  if (item.has_index()) return item.index();
  return item.has_update() ? item.update() : item.delete_();
}

// Writes until the server is gone. `failure` stays empty unless it answered with an error.
void Load(const std::shared_ptr<grpc::Channel>& channel, int client, Random random,
          Expected& expected, std::string& failure) {
  const auto stub = os::services::DocumentService::NewStub(channel);
  for (;;) {
    os::BulkRequest request;
    request.set_index(kIndex);
    for (int64_t i = random.Between(1, 20); i > 0; --i) {
      const std::string id = fmt::format("{}-{}", client, random.Between(0, kIdsPerClient - 1));
      os::BulkRequestBody& body = *request.add_bulk_request_body();
      os::OperationContainer& operation = *body.mutable_operation_container();
      if (random.OneIn(4)) {
        operation.mutable_delete_()->set_x_id(id);
        expected.Announce(id, std::nullopt);
        continue;
      }
      CrashDocument change;
      const std::string number = std::to_string(random.Between(0, 1000000));
      change.Set("n", number);
      if (random.OneIn(2)) {
        change.Set(fmt::format("x{}", random.Between(0, 99)), number);
        operation.mutable_update()->set_x_id(id);
        body.mutable_update_action()->set_doc(change.Source());
        body.mutable_update_action()->set_doc_as_upsert(true);
        CrashDocument updated = change;
        if (const CrashDocument* now = expected.Now(id)) {
          updated = {now->members};
          for (const auto& [key, value] : change.members) updated.Set(key, value);
        }
        expected.Announce(id, std::move(updated));
      } else {
        change.Set("t", "\"" + random.Word(1, 30) + "\"");
        operation.mutable_index()->set_x_id(id);
        body.set_object(change.Source());
        expected.Announce(id, std::move(change));
      }
    }
    grpc::ClientContext context;
    os::BulkResponse response;
    const grpc::Status status = stub->Bulk(&context, request, &response);
    if (!status.ok()) {
      if (status.error_code() != grpc::StatusCode::UNAVAILABLE) failure = status.error_message();
      return;
    }
    if (response.items_size() != request.bulk_request_body_size()) failure = "items are missing";
    for (const os::Item& item : response.items()) {
      const os::ResponseItem& result = ItemOf(item);
      // A delete of what is not there.
      if (result.has_error()) failure = result.error().reason();
      expected.Resolve(result.x_version(), result.x_seq_no());
    }
    if (!failure.empty()) return;
    expected.Acknowledge();
  }
}

// The documents of all clients, as a search sees them.
std::vector<std::map<std::string, FoundDocument>> Read(const ServerProcess& server) {
  const auto stub = os::services::SearchService::NewStub(ChannelTo(server));
  os::SearchRequest request;
  request.add_index(kIndex);
  request.mutable_search_request_body()->set_size(kClients * kIdsPerClient + 1);
  request.mutable_search_request_body()->set_version(true);
  request.mutable_search_request_body()->set_seq_no_primary_term(true);
  grpc::ClientContext context;
  os::SearchResponse response;
  const grpc::Status status = stub->Search(&context, request, &response);
  INFO(status.error_message());
  REQUIRE(status.ok());
  std::vector<std::map<std::string, FoundDocument>> found(kClients);
  for (const auto& hit : response.hits().hits()) {
    const std::string& id = hit.x_id();
    INFO("twice: " << id);
    REQUIRE(found.at(static_cast<size_t>(id[0] - '0'))
                .emplace(id, FoundDocument{hit.x_source(), hit.x_version(), hit.x_seq_no()})
                .second);
  }
  return found;
}

TEST_CASE("a server that is killed under load has what it said it has") {
  Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  TempFolder folder;
  Expected expected[kClients];
  {
    // The index is there before the first kill.
    ServerProcess server(folder.path());
    os::BulkRequest request;
    request.set_index(kIndex);
    auto& body = *request.add_bulk_request_body();
    body.mutable_operation_container()->mutable_index()->set_x_id("0-0");
    body.set_object(R"({"n":0})");
    grpc::ClientContext context;
    os::BulkResponse response;
    const auto stub = os::services::DocumentService::NewStub(ChannelTo(server));
    REQUIRE(stub->Bulk(&context, request, &response).ok());
    REQUIRE(!response.errors());
    CrashDocument first;
    first.Set("n", "0");
    expected[0].Announce("0-0", first);
    expected[0].Acknowledge();
    server.Kill();
  }
  size_t acknowledged = 0;
  for (int round = 0; round <= 5; ++round) {
    INFO("round " << round);
    ServerProcess server(folder.path());
    const auto found = Read(server);
    for (size_t client = 0; client < kClients; ++client) {
      INFO("client " << client << ", acknowledged " << expected[client].acknowledged() << " of "
                     << expected[client].announced());
      REQUIRE(expected[client].Matches(found[client]));
    }
    if (round == 5) {
      CHECK(server.Terminate() == 0);
      break;
    }
    std::string failures[kClients];
    std::vector<std::thread> clients;
    for (int client = 0; client < kClients; ++client) {
      clients.emplace_back(Load, ChannelTo(server), client, Random(random.engine()()),
                           std::ref(expected[client]), std::ref(failures[client]));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(random.Between(50, 600)));
    server.Kill();
    for (std::thread& client : clients) client.join();
    for (const std::string& failure : failures) CHECK(failure == "");
    for (const Expected& each : expected) acknowledged += each.acknowledged();
  }
  CHECK(acknowledged > 0);
}

}  // namespace
}  // namespace curlew::test
