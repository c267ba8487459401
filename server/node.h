// The whole node: data folder, catalog, pools and server, in the order in which they may start and
// stop.
#ifndef CURLEW_SERVER_NODE_H_
#define CURLEW_SERVER_NODE_H_

#include <atomic>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "config/settings.h"
#include "engine/catalog/catalog.h"
#include "engine/store/real_directory.h"
#include "engine/util/thread_pool.h"
#include "server/admission.h"
#include "server/grpc_server.h"

namespace curlew::server {

// Owned by main. Start and Stop in one thread; the rest from any.
class Node {
 public:
  // Locks and opens the data, then serves. Errors are for the person who starts it.
  static absl::StatusOr<std::unique_ptr<Node>> Start(const config::Settings& settings);
  ~Node();

  const std::string& address() const { return server_->address(); }

  // Drains the calls (see GrpcServer::Shutdown), waits for the pools, and closes the catalog with a
  // commit point. Once. A handler that ignores its cancelled call keeps it waiting; calls_ended()
  // says whether it is beyond that.
  absl::Status Stop();
  // Cuts the grace period short.
  void CancelCalls() { server_->CancelCalls(); }
  bool calls_ended() const { return calls_ended_.load(); }

 private:
  explicit Node(const config::Settings& settings);

  const config::Settings settings_;
  Admission admission_;
  std::unique_ptr<store::FolderLock> lock_;
  // Outlives the catalog, whose work it runs.
  ThreadPool background_;
  std::unique_ptr<catalog::Catalog> catalog_;
  ThreadPool search_;
  ThreadPool write_;
  ThreadPool admin_;
  ThreadPool monitor_;  // statistics only: slow administration must not hide how the node fares
  std::unique_ptr<GrpcServer> server_;
  std::atomic<bool> calls_ended_{false};
};

}  // namespace curlew::server

#endif  // CURLEW_SERVER_NODE_H_
