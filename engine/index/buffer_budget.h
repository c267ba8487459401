// One bound for the RAM buffers of all shards of a node.
#ifndef CURLEW_ENGINE_INDEX_BUFFER_BUDGET_H_
#define CURLEW_ENGINE_INDEX_BUFFER_BUDGET_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>

namespace curlew::index {

// Shards say how much their buffers hold; whoever finds that it is too much has the largest of them
// written to a segment, as OpenSearch's IndexingMemoryController does, and waits for that: so
// documents do not come faster than they are written. Thread-safe.
class BufferBudget {
 public:
  explicit BufferBudget(uint64_t limit) : limit_(limit) {}

  // A shard's part.
  class Share {
   public:
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    // Bytes held now.
    void Set(uint64_t bytes);

   private:
    friend class BufferBudget;
    Share(std::shared_ptr<BufferBudget> budget, std::function<bool()> write_out);

    const std::shared_ptr<BufferBudget> budget_;
    const std::function<bool()> write_out_;
    std::atomic<uint64_t> bytes_{0};
  };
  // `write_out` turns the shard's buffer into a segment; false when there is nothing to write, or
  // it cannot be. It is copied before it is called, on the thread of any shard's writer that holds
  // no lock, perhaps when the share is already gone.
  static std::unique_ptr<Share> Join(std::shared_ptr<BufferBudget> budget,
                                     std::function<bool()> write_out);

  bool Over() const { return used_.load(std::memory_order_relaxed) > limit_; }
  uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  // Has the largest buffer that can be written, if it is still too much. Call it without a lock.
  void Relieve();

 private:
  const uint64_t limit_;
  std::atomic<uint64_t> used_{0};
  std::mutex mutex_;
  std::set<Share*> shares_;  // guarded by mutex_
};

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_BUFFER_BUDGET_H_
