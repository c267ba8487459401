// A progress bar with a rate, on terminals only.
#ifndef CURLEW_CLI_PROGRESS_H_
#define CURLEW_CLI_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <string>

namespace curlew::cli {

// Draws on standard error, at most ten times a second; silent when that is no terminal.
class Progress {
 public:
  // `total_bytes` 0: unknown, only counts are shown.
  explicit Progress(uint64_t total_bytes);
  void Update(uint64_t bytes, uint64_t documents);
  // Removes the bar.
  void Finish();

  // The line as it is drawn `elapsed` after the start, `width` columns wide.
  static std::string Render(uint64_t bytes, uint64_t total_bytes, uint64_t documents,
                            std::chrono::duration<double> elapsed, size_t width);

 private:
  using Clock = std::chrono::steady_clock;

  const bool terminal_;
  const uint64_t total_bytes_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point last_;
};

}  // namespace curlew::cli

#endif  // CURLEW_CLI_PROGRESS_H_
