// The listening gRPC server: our services, health, reflection, and a shutdown that always ends.
#ifndef CURLEW_SERVER_GRPC_SERVER_H_
#define CURLEW_SERVER_GRPC_SERVER_H_

#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "config/settings.h"
#include "server/admission.h"
#include "server/connection_acceptor.h"
#include "server/described_service.h"

namespace curlew::server {

// Owned by the node. Thread-safe, except that Start comes first.
class GrpcServer {
 public:
  // Binds; clients may connect (and wait) from here on. `admission` outlives the server.
  static absl::StatusOr<std::unique_ptr<GrpcServer>> Listen(const config::GrpcSettings& settings,
                                                            Admission& admission);
  // Shuts down without grace when that was not done.
  ~GrpcServer();

  // Serves: every service and the whole answer SERVING. Once.
  absl::Status Start(std::vector<std::unique_ptr<DescribedService>> services);

  // NOT_SERVING and no new connections at once; new calls are answered UNAVAILABLE; running ones
  // have `grace` to end and are answered so then, too; the connections go after the last call.
  // Returns when all is gone, also when clients or handlers hang (the pools may still run handlers
  // whose calls have ended).
  void Shutdown(std::chrono::milliseconds grace);
  // Ends the grace period now; for when Shutdown waits already.
  void CancelCalls() { impatient_ = true; }

  const std::string& address() const { return acceptor_->address(); }
  ConnectionAcceptor& acceptor() { return *acceptor_; }

 private:
  GrpcServer(const config::GrpcSettings& settings, Admission& admission)
      : settings_(settings), admission_(admission) {}

  const config::GrpcSettings settings_;
  void CloseConnections();

  Admission& admission_;
  std::unique_ptr<ConnectionAcceptor> acceptor_;
  std::vector<std::unique_ptr<DescribedService>> services_;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> connections_;
  std::unique_ptr<grpc::Server> server_;  // goes before what it uses
  bool down_ = false;
  std::atomic<bool> impatient_{false};
};

}  // namespace curlew::server

#endif  // CURLEW_SERVER_GRPC_SERVER_H_
