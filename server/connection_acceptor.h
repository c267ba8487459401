// The server's own accept loop: sockets, connection cap, and survival when descriptors run out.
//
// gRPC 1.51's listener leaves its loop for good at any accept error (CVE-2023-4785) and knows no
// cap on connections, so it gets connections from here.
#ifndef CURLEW_SERVER_CONNECTION_ACCEPTOR_H_
#define CURLEW_SERVER_CONNECTION_ACCEPTOR_H_

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "config/settings.h"
#include "engine/store/posix_io.h"

namespace curlew::server {

// Owned by the server; Start and Stop are called once each, by the owner; the rest is thread-safe.
class ConnectionAcceptor {
 public:
  // Binds every address that the host's name has and listens; connections wait until Start.
  // `max_connections` is bounded further by the limit on open files, less a reserve for the data.
  static absl::StatusOr<std::unique_ptr<ConnectionAcceptor>> Listen(
      const config::ListenAddress& address, int max_connections);
  ~ConnectionAcceptor();

  // HOST:PORT as it was asked for, with the port that it got.
  const std::string& address() const { return address_; }

  // Accepts from now on, in a thread of its own. `hand_over` owns the descriptor that it gets (non
  // blocking, no delay), and closes it when the connection ends.
  void Start(std::function<void(int fd)> hand_over);
  // Closes the sockets; no call of `hand_over` is running when it returns.
  void Stop();

  int max_connections() const { return max_connections_; }
  // Connections that were handed over and are not closed. Costs a system call for each.
  int CountOpen();
  // Closed at once because of the cap or for want of a descriptor.
  int64_t refused() const { return refused_.load(); }

 private:
  ConnectionAcceptor() = default;
  void Run();
  void AcceptAll(int listener);
  void Admit(int fd);
  bool HasRoom();
  // Both need mutex_.
  void Track(int fd);
  void Recount();

  std::string address_;
  int max_connections_ = 0;
  std::vector<store::FileDescriptor> listeners_;
  store::FileDescriptor wake_;   // an eventfd that ends the loop
  store::FileDescriptor spare_;  // given up to accept and close one connection when there are none
  std::function<void(int)> hand_over_;
  std::thread thread_;
  std::atomic<int64_t> refused_{0};
  std::chrono::steady_clock::time_point last_logged_;  // of the accept thread

  // gRPC does not say when it closes a descriptor. The inode of a socket is never used again, so a
  // descriptor that shows another one, or none, belongs to a connection that is closed.
  std::mutex mutex_;
  std::vector<ino_t> inodes_;  // by descriptor; 0 = not ours
  int open_ = 0;               // at most too high, until the next Recount
  std::chrono::steady_clock::time_point last_recount_;
};

// Raises the soft limit on open files to the hard one; the limit then.
int64_t RaiseFileLimit();

}  // namespace curlew::server

#endif  // CURLEW_SERVER_CONNECTION_ACCEPTOR_H_
