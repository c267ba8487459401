// Seeded randomness for tests: the seed is printed with a failure and can be given back in
// CURLEW_TEST_SEED to repeat it.
#ifndef CURLEW_TEST_SUPPORT_RANDOM_H_
#define CURLEW_TEST_SUPPORT_RANDOM_H_

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace curlew::test {

// Not thread-safe: one per thread.
class Random {
 public:
  Random() : Random(SeedFromEnvironment()) {}
  explicit Random(uint64_t seed) : seed_(seed), engine_(seed) {}

  uint64_t seed() const { return seed_; }
  std::mt19937_64& engine() { return engine_; }

  // Uniform in [low, high], both ends included.
  int64_t Between(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine_);
  }
  bool OneIn(int n) { return Between(1, n) == 1; }
  double Unit() { return std::uniform_real_distribution<double>(0, 1)(engine_); }

  template <typename T>
  const T& Pick(const std::vector<T>& items) {
    return items[static_cast<size_t>(Between(0, static_cast<int64_t>(items.size()) - 1))];
  }

  // Lower-case ASCII letters.
  std::string Word(int min_length, int max_length) {
    std::string word(static_cast<size_t>(Between(min_length, max_length)), 'a');
    for (char& c : word) c = static_cast<char>('a' + Between(0, 25));
    return word;
  }

  // Any bytes.
  std::string Bytes(int min_length, int max_length) {
    std::string bytes(static_cast<size_t>(Between(min_length, max_length)), '\0');
    for (char& c : bytes) c = static_cast<char>(Between(0, 255));
    return bytes;
  }

 private:
  static uint64_t SeedFromEnvironment() {
    if (const char* text = std::getenv("CURLEW_TEST_SEED")) return std::strtoull(text, nullptr, 10);
    return std::random_device{}();
  }

  uint64_t seed_;
  std::mt19937_64 engine_;
};

}  // namespace curlew::test

#endif  // CURLEW_TEST_SUPPORT_RANDOM_H_
