// curlew.admin.v1.NodeService: what the node is and how it fares.
#ifndef CURLEW_SERVER_NODE_SERVICE_H_
#define CURLEW_SERVER_NODE_SERVICE_H_

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "engine/util/thread_pool.h"
#include "server/admission.h"
#include "server/connection_acceptor.h"
#include "server/described_service.h"

namespace curlew::server {

struct NodeFacts {
  std::string name;
  std::string version;
  std::string build;
  std::string data_path;
  std::vector<std::string> listeners;
  std::chrono::system_clock::time_point start_time;
};

// What statistics are taken from; all of it outlives the service.
struct NodeSources {
  const Admission* admission = nullptr;
  ConnectionAcceptor* acceptor = nullptr;
  std::map<std::string, const ThreadPool*> pools;
};

// Info runs inline, Stats on `pool`, since it asks the system once per open connection: a pool that
// nothing slow uses, so that a busy node can be looked at.
std::map<std::string, Binding> NodeServiceBindings(NodeFacts facts, NodeSources sources,
                                                   ThreadPool* pool);

}  // namespace curlew::server

#endif  // CURLEW_SERVER_NODE_SERVICE_H_
