// Which Curlew this is.
#ifndef CURLEW_SERVER_VERSION_H_
#define CURLEW_SERVER_VERSION_H_

#include <string>

namespace curlew::server {

std::string Version();  // "0.1.0"
std::string Build();    // $CURLEW_BUILD of the build, or the commit, or "unknown"

}  // namespace curlew::server

#endif  // CURLEW_SERVER_VERSION_H_
