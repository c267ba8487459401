#include "engine/search/path_patterns.h"

namespace curlew::search {
namespace {

void Set(std::vector<uint64_t>& bits, size_t place) {
  bits[place / 64] |= uint64_t{1} << (place % 64);
}

}  // namespace

bool PathPatterns::State::dead() const {
  for (const uint64_t word : bits_) {
    if (word != 0) return false;
  }
  return true;
}

PathPatterns::PathPatterns(const std::vector<std::string>& patterns) {
  size_t places = 0;
  for (const std::string& pattern : patterns) places += Places(pattern);
  const size_t words = (places + 63) / 64;
  set_of_.fill(kNoSet);
  for (Bits* bits : {&stars_, &staying_, &matches_}) bits->resize(words);
  start_.bits_.resize(words);
  const auto takes = [this, words](char c, size_t place) {
    uint16_t& set = set_of_[static_cast<unsigned char>(c)];
    if (set == kNoSet) {
      set = static_cast<uint16_t>(sets_.size());
      sets_.emplace_back(words);
    }
    Set(sets_[set], place);
  };
  size_t place = 0;
  for (const std::string& pattern : patterns) {
    start_.bits_[place / 64] |= uint64_t{1} << (place % 64);
    char before = 0;
    for (const char c : pattern) {
      if (c != '*') {
        takes(c, place++);
      } else if (before != '*') {  // two stars say no more than one
        Set(stars_, place);
        Set(staying_, place++);
      }
      before = c;
    }
    Set(matches_, place);  // the end, from where a dot leads below
    takes('.', place++);
    Set(matches_, place);
    Set(staying_, place++);
  }
  EnterBehindStars(start_);
}

// A star may stand for nothing.
void PathPatterns::EnterBehindStars(State& state) const {
  uint64_t carry = 0;
  for (size_t word = 0; word < state.bits_.size(); ++word) {
    const uint64_t stars = state.bits_[word] & stars_[word];
    state.bits_[word] |= stars << 1 | carry;
    carry = stars >> 63;
  }
}

PathPatterns::State PathPatterns::Step(State state, std::string_view text) const {
  for (const char c : text) {
    const uint16_t set = set_of_[static_cast<unsigned char>(c)];
    const uint64_t* taken = set == kNoSet ? nullptr : sets_[set].data();
    uint64_t carry = 0;
    uint64_t any = 0;
    for (size_t word = 0; word < state.bits_.size(); ++word) {
      const uint64_t here = state.bits_[word];
      const uint64_t moving = taken == nullptr ? 0 : here & taken[word];
      state.bits_[word] = moving << 1 | carry | (here & staying_[word]);
      any |= state.bits_[word];
      carry = moving >> 63;
    }
    if (any == 0) break;
    EnterBehindStars(state);
  }
  return state;
}

bool PathPatterns::Matches(const State& state) const {
  for (size_t word = 0; word < state.bits_.size(); ++word) {
    if ((state.bits_[word] & matches_[word]) != 0) return true;
  }
  return false;
}

}  // namespace curlew::search
