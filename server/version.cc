#include "server/version.h"

#include "curlew_build_id.h"

namespace curlew::server {

std::string Version() { return CURLEW_VERSION; }
std::string Build() { return CURLEW_BUILD; }

}  // namespace curlew::server
