#include "engine/index/buffer_budget.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace curlew::index {

BufferBudget::Share::Share(std::shared_ptr<BufferBudget> budget, std::function<bool()> write_out)
    : budget_(std::move(budget)), write_out_(std::move(write_out)) {
  std::lock_guard lock(budget_->mutex_);
  budget_->shares_.insert(this);
}

BufferBudget::Share::~Share() {
  Set(0);
  std::lock_guard lock(budget_->mutex_);
  budget_->shares_.erase(this);
}

void BufferBudget::Share::Set(uint64_t bytes) {
  // Unsigned arithmetic comes out right in the sum whichever of the two is larger.
  budget_->used_ += bytes - bytes_.exchange(bytes);
}

std::unique_ptr<BufferBudget::Share> BufferBudget::Join(std::shared_ptr<BufferBudget> budget,
                                                        std::function<bool()> write_out) {
  return std::unique_ptr<Share>(new Share(std::move(budget), std::move(write_out)));
}

void BufferBudget::Relieve() {
  std::vector<std::pair<uint64_t, std::function<bool()>>> all;
  {
    std::lock_guard lock(mutex_);
    if (!Over()) return;
    for (const Share* share : shares_) all.emplace_back(share->bytes_.load(), share->write_out_);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [bytes, write_out] : all) {
    // Another writer may have relieved it while this one waited for its turn at a shard.
    if (bytes == 0 || write_out() || !Over()) return;
  }
}

}  // namespace curlew::index
