#include "engine/search/path_patterns.h"

#include <bit>
#include <utility>

namespace curlew::search {

bool PathPatterns::State::dead() const {
  for (const uint64_t word : bits_) {
    if (word != 0) return false;
  }
  return true;
}

PathPatterns::PathPatterns(const std::vector<std::string>& patterns) {
  std::vector<size_t> starts;
  for (const std::string& pattern : patterns) {
    starts.push_back(places_.size());
    for (const char c : pattern) places_.push_back({c == '*' ? Kind::kStar : Kind::kCharacter, c});
    places_.push_back({Kind::kEnd, 0});
    places_.push_back({Kind::kBelow, 0});
  }
  start_.bits_.resize((places_.size() + 63) / 64);
  for (const size_t place : starts) Enter(start_, place);
}

void PathPatterns::Enter(State& state, size_t place) const {
  state.bits_[place / 64] |= uint64_t{1} << (place % 64);
  // A star may stand for nothing.
  if (places_[place].kind == Kind::kStar) Enter(state, place + 1);
}

PathPatterns::State PathPatterns::Step(State state, std::string_view text) const {
  State next;
  for (const char c : text) {
    next.bits_.assign(state.bits_.size(), 0);
    for (size_t word = 0; word < state.bits_.size(); ++word) {
      for (uint64_t left = state.bits_[word]; left != 0; left &= left - 1) {
        const size_t place = word * 64 + static_cast<size_t>(std::countr_zero(left));
        switch (places_[place].kind) {
          case Kind::kCharacter:
            if (places_[place].character == c) Enter(next, place + 1);
            break;
          case Kind::kStar:
          case Kind::kBelow:
            Enter(next, place);
            break;
          case Kind::kEnd:
            if (c == '.') Enter(next, place + 1);
            break;
        }
      }
    }
    std::swap(state, next);
  }
  return state;
}

bool PathPatterns::Matches(const State& state) const {
  for (size_t word = 0; word < state.bits_.size(); ++word) {
    for (uint64_t left = state.bits_[word]; left != 0; left &= left - 1) {
      const size_t place = word * 64 + static_cast<size_t>(std::countr_zero(left));
      if (places_[place].kind >= Kind::kEnd) return true;
    }
  }
  return false;
}

}  // namespace curlew::search
