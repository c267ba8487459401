#include "cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace curlew::cli {
namespace {

size_t TerminalWidth() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace

Progress::Progress(uint64_t total_bytes)
    : terminal_(::isatty(STDERR_FILENO) == 1), total_bytes_(total_bytes) {}

std::string Progress::Render(uint64_t bytes, uint64_t total_bytes, uint64_t documents,
                             std::chrono::duration<double> elapsed, size_t width) {
  const double seconds = std::max(elapsed.count(), 1e-3);
  std::string tail =
      fmt::format(" {} documents, {:.0f}/s", documents, static_cast<double>(documents) / seconds);
  if (total_bytes == 0) return tail.substr(1);
  const double share = std::min(1.0, static_cast<double>(bytes) / static_cast<double>(total_bytes));
  tail = fmt::format(" {:3.0f}%", share * 100) + tail;
  if (share > 0 && share < 1) tail += fmt::format(", {:.0f} s left", seconds / share - seconds);
  if (tail.size() + 12 > width) return tail.substr(1);
  const size_t cells = std::min<size_t>(40, width - tail.size() - 2);
  const auto full = static_cast<size_t>(share * static_cast<double>(cells));
  std::string bar(full, '=');
  if (full < cells) bar += '>';
  bar.resize(cells, ' ');
  return "[" + bar + "]" + tail;
}

void Progress::Update(uint64_t bytes, uint64_t documents) {
  if (!terminal_) return;
  const Clock::time_point now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const std::string line =
      Render(bytes, total_bytes_, documents, now - start_, TerminalWidth() - 1);
  std::fprintf(stderr, "\r\x1b[K%s", line.c_str());
  std::fflush(stderr);
}

void Progress::Finish() {
  if (!terminal_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

}  // namespace curlew::cli
