// Which method is answered by which handler, and on which pool.
#ifndef CURLEW_SERVER_METHOD_TABLE_H_
#define CURLEW_SERVER_METHOD_TABLE_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/catalog/catalog.h"
#include "server/described_service.h"

namespace curlew::server {

struct MethodTableSources {
  catalog::Catalog* catalog = nullptr;
  ThreadPool* search = nullptr;
  ThreadPool* write = nullptr;
  ThreadPool* admin = nullptr;
  Admission* admission = nullptr;
  std::map<std::string, Binding> node_service;
};

// Every service of the server. What `sources` points to outlives them.
std::vector<std::unique_ptr<DescribedService>> MakeServices(const MethodTableSources& sources);

}  // namespace curlew::server

#endif  // CURLEW_SERVER_METHOD_TABLE_H_
