#include "bench/load/latencies.h"

#include <fmt/format.h>

#include <algorithm>

namespace curlew::bench {

void Latencies::Add(const Latencies& other) {
  values_.insert(values_.end(), other.values_.begin(), other.values_.end());
}

double Latencies::Percentile(double p) const {
  if (values_.empty()) return 0;
  std::vector<Duration> sorted = values_;
  const size_t at = std::min(sorted.size() - 1,
                             static_cast<size_t>(p / 100 * static_cast<double>(sorted.size())));
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(at), sorted.end());
  return std::chrono::duration<double, std::milli>(sorted[at]).count();
}

std::string Latencies::ToJson() const {
  return fmt::format(
      R"({{"n":{},"p50_ms":{:.3f},"p90_ms":{:.3f},"p99_ms":{:.3f},"max_ms":{:.3f}}})", count(),
      Percentile(50), Percentile(90), Percentile(99), Percentile(100));
}

}  // namespace curlew::bench
