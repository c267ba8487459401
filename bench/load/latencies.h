// Latencies of a run and what is said of them.
#ifndef CURLEW_BENCH_LOAD_LATENCIES_H_
#define CURLEW_BENCH_LOAD_LATENCIES_H_

#include <chrono>
#include <string>
#include <vector>

namespace curlew::bench {

// Not thread-safe.
class Latencies {
 public:
  using Duration = std::chrono::nanoseconds;

  void Add(Duration latency) { values_.push_back(latency); }
  void Add(const Latencies& other);
  size_t count() const { return values_.size(); }
  // In milliseconds; `p` in 0..100. 0 when there is none.
  double Percentile(double p) const;
  // {"n":..,"p50_ms":..,"p90_ms":..,"p99_ms":..,"max_ms":..}
  std::string ToJson() const;

 private:
  std::vector<Duration> values_;
};

}  // namespace curlew::bench

#endif  // CURLEW_BENCH_LOAD_LATENCIES_H_
