#include "server/connection_acceptor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <spdlog/spdlog.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "engine/util/error.h"

namespace curlew::server {
namespace {

constexpr int kBacklog = 4096;  // the kernel cuts it to net.core.somaxconn
// After an error that is not about one connection.
constexpr std::chrono::milliseconds kErrorPause{20};
// One line a second says that connections are refused, not one each.
constexpr std::chrono::seconds kLogPause{1};
// Counting 16,000 connections takes milliseconds; a flood over the cap must not repeat it for each.
constexpr std::chrono::milliseconds kRecountPause{100};

// What open files are kept for besides connections: segments, logs, the process itself.
int64_t Reserve(int64_t limit) {
  return std::min(std::clamp<int64_t>(limit / 4, 64, 4096), limit / 2);
}

uint16_t PortOf(int fd) {
  sockaddr_storage storage{};
  socklen_t size = sizeof(storage);
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return 0;
  if (storage.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6&>(storage).sin6_port);
  }
  return ntohs(reinterpret_cast<const sockaddr_in&>(storage).sin_port);
}

void SetPort(sockaddr* address, uint16_t port) {
  if (address->sa_family == AF_INET6) {
    reinterpret_cast<sockaddr_in6*>(address)->sin6_port = htons(port);
  } else {
    reinterpret_cast<sockaddr_in*>(address)->sin_port = htons(port);
  }
}

// A listening socket, or an invalid one with errno set.
store::FileDescriptor ListenOn(const addrinfo& info) {
  store::FileDescriptor fd(
      socket(info.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, info.ai_protocol));
  if (!fd.valid()) return fd;
  const int on = 1;
  setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (bind(fd.get(), info.ai_addr, info.ai_addrlen) != 0 || listen(fd.get(), kBacklog) != 0) {
    const int error = errno;
    fd.Reset();
    errno = error;
  }
  return fd;
}

store::FileDescriptor OpenSpare() {
  return store::FileDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
}

}  // namespace

int64_t RaiseFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
  if (limit.rlim_cur < limit.rlim_max) {
    const rlim_t before = std::exchange(limit.rlim_cur, limit.rlim_max);
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = before;
  }
  return static_cast<int64_t>(std::min<rlim_t>(limit.rlim_cur, 1u << 30));
}

absl::StatusOr<std::unique_ptr<ConnectionAcceptor>> ConnectionAcceptor::Listen(
    const config::ListenAddress& address, int max_connections) {
  std::unique_ptr<ConnectionAcceptor> acceptor(new ConnectionAcceptor);
  const int64_t files = RaiseFileLimit();
  acceptor->max_connections_ = static_cast<int>(
      std::max<int64_t>(1, std::min<int64_t>(max_connections, files - Reserve(files))));
  acceptor->wake_ = store::FileDescriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!acceptor->wake_.valid()) return IoError("cannot make an eventfd", errno);
  acceptor->spare_ = OpenSpare();

  addrinfo hints{};
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const std::string service = std::to_string(address.port);
  if (const int code = getaddrinfo(address.host.c_str(), service.c_str(), &hints, &found);
      code != 0) {
    return IllegalArgument(fmt::format("cannot listen on [{}:{}]: {}", address.host, address.port,
                                       gai_strerror(code)));
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> guard(found, &freeaddrinfo);
  uint16_t port = address.port;
  int error = EADDRNOTAVAIL;
  for (addrinfo* info = found; info != nullptr; info = info->ai_next) {
    SetPort(info->ai_addr, port);  // port 0: the first one's choice holds for all
    store::FileDescriptor fd = ListenOn(*info);
    if (!fd.valid()) {
      error = errno;
      // A name that has an IPv6 address on a machine without IPv6 is no error; a port that
      // somebody else holds is.
      if (error == EADDRNOTAVAIL || error == EAFNOSUPPORT) continue;
      acceptor->listeners_.clear();
      break;
    }
    if (port == 0) port = PortOf(fd.get());
    acceptor->listeners_.push_back(std::move(fd));
  }
  if (acceptor->listeners_.empty()) {
    return IoError(fmt::format("cannot listen on [{}:{}]", address.host, address.port), error);
  }
  acceptor->address_ = address.host.find(':') == std::string::npos
                           ? fmt::format("{}:{}", address.host, port)
                           : fmt::format("[{}]:{}", address.host, port);
  return acceptor;
}

ConnectionAcceptor::~ConnectionAcceptor() { Stop(); }

void ConnectionAcceptor::Start(std::function<void(int)> hand_over) {
  hand_over_ = std::move(hand_over);
  thread_ = std::thread([this] { Run(); });
}

void ConnectionAcceptor::Stop() {
  if (thread_.joinable()) {
    const uint64_t one = 1;
    // An eventfd takes 8 bytes unless its count is full, and then the loop is awake anyway.
    if (write(wake_.get(), &one, sizeof(one)) < 0) spdlog::debug("the accept loop is awake");
    thread_.join();
  }
  listeners_.clear();
}

void ConnectionAcceptor::Run() {
  pthread_setname_np(pthread_self(), "accept");
  std::vector<pollfd> polled;
  polled.push_back({wake_.get(), POLLIN, 0});
  for (const auto& listener : listeners_) polled.push_back({listener.get(), POLLIN, 0});
  while (true) {
    if (poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) {
      std::this_thread::sleep_for(kErrorPause);
    }
    if (polled[0].revents != 0) return;
    for (size_t i = 1; i < polled.size(); ++i) {
      if (polled[i].revents != 0) AcceptAll(polled[i].fd);
    }
  }
}

void ConnectionAcceptor::AcceptAll(int listener) {
  // Bounded, so that a flood cannot keep Stop waiting.
  for (int i = 0; i < 256; ++i) {
    const int connection = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (connection >= 0) {
      Admit(connection);
      continue;
    }
    const int error = errno;
    if (error == EAGAIN || error == EWOULDBLOCK) return;
    if (error == EMFILE || error == ENFILE) {
      // The connection would stay in the queue and wake the loop for ever: take it with the spare
      // descriptor and close it, so that its client knows.
      spare_.Reset();
      store::FileDescriptor victim(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
      if (victim.valid()) refused_.fetch_add(1);
      victim.Reset();
      spare_ = OpenSpare();
      std::this_thread::sleep_for(kErrorPause);
      return;
    }
    if (error == ENOBUFS || error == ENOMEM) {
      std::this_thread::sleep_for(kErrorPause);
      return;
    }
    // All else is about this one connection, which is gone (accept(2), "Error handling").
  }
}

void ConnectionAcceptor::Admit(int fd) {
  if (!HasRoom()) {
    refused_.fetch_add(1);
    close(fd);
    const auto now = std::chrono::steady_clock::now();
    if (now - last_logged_ >= kLogPause) {
      last_logged_ = now;
      spdlog::warn("[{}] connections are open, the most there may be; [{}] were refused so far",
                   max_connections_, refused_.load());
    }
    return;
  }
  {
    std::lock_guard lock(mutex_);
    Track(fd);
  }
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  hand_over_(fd);
}

bool ConnectionAcceptor::HasRoom() {
  std::lock_guard lock(mutex_);
  if (open_ < max_connections_) return true;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_recount_ < kRecountPause) return false;
  last_recount_ = now;
  Recount();
  return open_ < max_connections_;
}

void ConnectionAcceptor::Track(int fd) {
  const auto slot = static_cast<size_t>(fd);
  if (inodes_.size() <= slot) inodes_.resize(slot + 1);
  if (inodes_[slot] != 0) --open_;  // the descriptor's last connection was closed
  struct stat info {};
  inodes_[slot] = fstat(fd, &info) == 0 ? info.st_ino : 0;
  if (inodes_[slot] != 0) ++open_;
}

void ConnectionAcceptor::Recount() {
  for (size_t fd = 0; fd < inodes_.size(); ++fd) {
    if (inodes_[fd] == 0) continue;
    struct stat info {};
    if (fstat(static_cast<int>(fd), &info) != 0 || info.st_ino != inodes_[fd]) {
      inodes_[fd] = 0;
      --open_;
    }
  }
}

int ConnectionAcceptor::CountOpen() {
  std::lock_guard lock(mutex_);
  Recount();
  return open_;
}

}  // namespace curlew::server
