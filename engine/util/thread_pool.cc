#include "engine/util/thread_pool.h"

#include <pthread.h>

#include <utility>

namespace curlew {

ThreadPool::ThreadPool(std::string name, int threads, size_t queue_limit)
    : name_(name.substr(0, 15)), queue_limit_(queue_limit) {
  threads_.reserve(static_cast<size_t>(threads));
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Run(); });
}

ThreadPool::~ThreadPool() { Stop(); }

bool ThreadPool::Post(std::function<void()> task) {
  {
    std::lock_guard lock(mutex_);
    if (stopping_ || queue_.size() >= queue_limit_) {
      ++rejected_;
      return false;
    }
    queue_.push_back(std::move(task));
  }
  ready_.notify_one();
  return true;
}

bool ThreadPool::PostIfIdle(std::function<void()> task) {
  {
    std::lock_guard lock(mutex_);
    if (stopping_ || static_cast<size_t>(active_) + queue_.size() >= threads_.size()) return false;
    queue_.push_back(std::move(task));
  }
  ready_.notify_one();
  return true;
}

void ThreadPool::Stop() {
  std::vector<std::thread> joining;
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    joining.swap(threads_);
  }
  ready_.notify_all();
  for (std::thread& thread : joining) thread.join();
}

ThreadPool::Stats ThreadPool::stats() const {
  std::lock_guard lock(mutex_);
  return {static_cast<int>(threads_.size()), active_, queue_.size(), completed_, rejected_};
}

void ThreadPool::Run() {
  pthread_setname_np(pthread_self(), name_.c_str());
  std::unique_lock lock(mutex_);
  while (true) {
    ready_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    std::function<void()> task = std::move(queue_.front());
    queue_.pop_front();
    ++active_;
    lock.unlock();
    task();
    task = nullptr;  // what it holds goes before the task counts as completed
    lock.lock();
    --active_;
    ++completed_;
  }
}

}  // namespace curlew
