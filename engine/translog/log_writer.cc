#include "engine/translog/log_writer.h"

#include <pthread.h>

#include <algorithm>
#include <utility>

namespace curlew::translog {

LogWriter::LogWriter() : thread_([this] { Run(); }) {}

LogWriter::~LogWriter() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  ready_.notify_one();
  thread_.join();
}

void LogWriter::Schedule(std::shared_ptr<Syncable> log) {
  {
    std::lock_guard lock(mutex_);
    if (std::find(queue_.begin(), queue_.end(), log) != queue_.end()) return;
    queue_.push_back(std::move(log));
  }
  ready_.notify_one();
}

void LogWriter::Run() {
  pthread_setname_np(pthread_self(), "log-writer");
  std::vector<std::shared_ptr<Syncable>> logs;
  std::unique_lock lock(mutex_);
  while (true) {
    ready_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    logs.swap(queue_);
    lock.unlock();
    for (std::shared_ptr<Syncable>& log : logs) {
      log->WriteAndSync();
      log = nullptr;  // may be the last owner; not under the lock
    }
    logs.clear();
    lock.lock();
  }
}

}  // namespace curlew::translog
