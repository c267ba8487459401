#include "engine/index/scheduler.h"

#include <pthread.h>

#include <utility>

namespace curlew::index {

std::shared_ptr<Scheduler> Scheduler::Shared() {
  static std::mutex mutex;
  static std::weak_ptr<Scheduler> shared;
  std::lock_guard lock(mutex);
  std::shared_ptr<Scheduler> scheduler = shared.lock();
  if (scheduler == nullptr) {
    scheduler = std::make_shared<Scheduler>();
    shared = scheduler;
  }
  return scheduler;
}

Scheduler::Scheduler() : thread_([this] { Run(); }) {}

Scheduler::~Scheduler() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Scheduler::At(Clock::time_point time, std::function<void()> task) {
  bool first;
  {
    std::lock_guard lock(mutex_);
    const auto it = tasks_.emplace(time, std::move(task));
    first = it == tasks_.begin();
  }
  if (first) changed_.notify_all();
}

void Scheduler::Run() {
  pthread_setname_np(pthread_self(), "scheduler");
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (tasks_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const auto due = tasks_.begin()->first;
    if (due > Clock::now()) {
      changed_.wait_until(lock, due);
      continue;
    }
    std::function<void()> task = std::move(tasks_.begin()->second);
    tasks_.erase(tasks_.begin());
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
  }
}

}  // namespace curlew::index
