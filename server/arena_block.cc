#include "server/arena_block.h"

#include <mutex>
#include <vector>

namespace curlew::server {
namespace {

struct Stock {
  std::mutex mutex;
  std::vector<char*> blocks;
};

// Never destroyed: calls may end while the process does.
Stock& TheStock() {
  static Stock& stock = *new Stock;
  return stock;
}

}  // namespace

ArenaBlock::ArenaBlock() {
  Stock& stock = TheStock();
  {
    std::lock_guard lock(stock.mutex);
    if (!stock.blocks.empty()) {
      data_ = stock.blocks.back();  // the warmest
      stock.blocks.pop_back();
      return;
    }
  }
  data_ = static_cast<char*>(::operator new(kSize));
}

ArenaBlock::~ArenaBlock() {
  Stock& stock = TheStock();
  {
    std::lock_guard lock(stock.mutex);
    if (stock.blocks.size() < kMostKept) {
      stock.blocks.push_back(data_);
      return;
    }
  }
  ::operator delete(data_);
}

size_t ArenaBlock::kept() {
  Stock& stock = TheStock();
  std::lock_guard lock(stock.mutex);
  return stock.blocks.size();
}

}  // namespace curlew::server
