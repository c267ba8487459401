#include "bench/load/process_usage.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace curlew::bench {

double CpuMillis(int pid) {
  std::ifstream in(fmt::format("/proc/{}/stat", pid));
  std::string line;
  if (!std::getline(in, line)) return 0;
  // Fields 14 and 15, counted behind the name in brackets (field 2).
  std::istringstream fields(line.substr(line.rfind(')') + 2));
  std::string skipped;
  for (int i = 3; i < 14; ++i) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) * 1000 / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double WrittenBytes(int pid) {
  std::ifstream in(fmt::format("/proc/{}/io", pid));
  double bytes = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("write_bytes:")) bytes += std::stod(line.substr(12));
    if (line.starts_with("cancelled_write_bytes:")) bytes -= std::stod(line.substr(22));
  }
  return bytes;
}

double RssMegabytes(int pid) {
  std::ifstream in(fmt::format("/proc/{}/status", pid));
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("VmRSS:")) return std::stod(line.substr(6)) / 1024;
  }
  return 0;
}

}  // namespace curlew::bench
