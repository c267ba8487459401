#include "engine/translog/log_writer.h"

#include <pthread.h>

#include <algorithm>
#include <utility>

namespace curlew::translog {

LogWriter::LogWriter(std::chrono::milliseconds pause) : pause_(pause), thread_([this] { Run(); }) {}

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
    QueueLocked(std::move(log));
  }
  ready_.notify_one();
}

void LogWriter::QueueLocked(std::shared_ptr<Syncable> log) {
  if (std::find(queue_.begin(), queue_.end(), log) != queue_.end()) return;
  queue_.push_back(std::move(log));
}

void LogWriter::Run() {
  pthread_setname_np(pthread_self(), "log-writer");
  std::vector<std::shared_ptr<Syncable>> logs;
  std::vector<std::shared_ptr<Syncable>> again;
  std::unique_lock lock(mutex_);
  while (true) {
    const auto due = [this] { return stopping_ || !queue_.empty(); };
    if (later_.empty()) {
      ready_.wait(lock, due);
    } else {
      ready_.wait_until(lock, later_.front().first, due);
    }
    while (!later_.empty() && (stopping_ || later_.front().first <= Clock::now())) {
      QueueLocked(std::move(later_.front().second));
      later_.pop_front();
    }
    if (queue_.empty()) {
      if (stopping_) return;
      continue;
    }
    logs.swap(queue_);
    lock.unlock();
    for (std::shared_ptr<Syncable>& log : logs) {
      if (log->WriteAndSync()) again.push_back(log);
      log = nullptr;  // may be the last owner; not under the lock
    }
    logs.clear();
    lock.lock();
    // At the end they have had their chance, and go without the lock.
    if (!stopping_) {
      for (std::shared_ptr<Syncable>& log : again) {
        later_.emplace_back(Clock::now() + pause_, std::move(log));
      }
    }
    if (!again.empty()) {
      lock.unlock();
      again.clear();
      lock.lock();
    }
  }
}

}  // namespace curlew::translog
