#include "server/version.h"

namespace curlew::server {

std::string Version() { return CURLEW_VERSION; }
std::string Build() { return CURLEW_BUILD; }

}  // namespace curlew::server
