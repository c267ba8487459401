// Arrays that live as long as a function call, in memory that the thread keeps for the next one:
// evaluating a small query is so short that malloc would be a tenth of it.
#ifndef CURLEW_ENGINE_UTIL_SCRATCH_ARRAY_H_
#define CURLEW_ENGINE_UTIL_SCRATCH_ARRAY_H_

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>

namespace curlew {

// A stack of bytes, one for each thread. What does not fit any more comes from the heap.
class ScratchStack {
 public:
  static constexpr size_t kBytes = 128 * 1024;
  static constexpr size_t kAlignment = 64;

  // Null when there is no room. Pieces are given back in the opposite order.
  void* Push(size_t bytes) {
    bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (memory_ == nullptr) memory_.reset(new (std::align_val_t(kAlignment)) std::byte[kBytes]);
    if (bytes > kBytes - used_) return nullptr;
    void* const piece = memory_.get() + used_;
    used_ += bytes;
    return piece;
  }
  void Pop(size_t bytes) { used_ -= (bytes + kAlignment - 1) / kAlignment * kAlignment; }

  static ScratchStack& OfThread() {
    thread_local ScratchStack stack;
    return stack;
  }

 private:
  struct Free {
    void operator()(std::byte* memory) const {
      ::operator delete[](memory, std::align_val_t(kAlignment));
    }
  };

  std::unique_ptr<std::byte[], Free> memory_;
  size_t used_ = 0;
};

// `size` elements, default-initialised (numbers: not at all). Arrays of a thread have to be
// destroyed in the opposite order of their making, by the same thread: as local variables and
// members of such are.
template <typename T>
class ScratchArray {
 public:
  explicit ScratchArray(size_t size) : size_(size) {
    static_assert(alignof(T) <= ScratchStack::kAlignment);
    void* memory = ScratchStack::OfThread().Push(size * sizeof(T));
    on_stack_ = memory != nullptr;
    if (!on_stack_) memory = ::operator new(size * sizeof(T), std::align_val_t(alignof(T)));
    data_ = static_cast<T*>(memory);
    std::uninitialized_default_construct_n(data_, size);
  }
  ScratchArray(size_t size, const T& value) : ScratchArray(size) {
    std::fill_n(data_, size, value);
  }
  ~ScratchArray() {
    std::destroy_n(data_, size_);
    if (on_stack_) {
      ScratchStack::OfThread().Pop(size_ * sizeof(T));
    } else {
      ::operator delete(data_, std::align_val_t(alignof(T)));
    }
  }
  ScratchArray(const ScratchArray&) = delete;
  ScratchArray& operator=(const ScratchArray&) = delete;

  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  size_t size() const { return size_; }

 private:
  T* data_;
  const size_t size_;
  bool on_stack_;
};

}  // namespace curlew

#endif  // CURLEW_ENGINE_UTIL_SCRATCH_ARRAY_H_
