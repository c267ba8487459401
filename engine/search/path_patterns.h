// Patterns of dotted paths, matched character by character while a document is walked.
#ifndef CURLEW_ENGINE_SEARCH_PATH_PATTERNS_H_
#define CURLEW_ENGINE_SEARCH_PATH_PATTERNS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"

namespace curlew::search {

// In a pattern `*` stands for any characters, dots included; a pattern matches its paths and all
// below them. A nondeterministic automaton with one state for every place in a pattern, stepped 64
// places at a time (Baeza-Yates and Gonnet's Shift-And): a character costs size() / 64 steps
// whatever the patterns and the paths are. Immutable, thread-safe.
class PathPatterns {
 public:
  // The places that a path read so far has come to; dead when no pattern can match any more.
  class State {
   public:
    bool dead() const;

   private:
    friend class PathPatterns;
    absl::InlinedVector<uint64_t, 4> bits_;
  };

  explicit PathPatterns(const std::vector<std::string>& patterns);

  // The automaton's places: what a pattern costs is its length and two.
  static size_t Places(const std::string& pattern) { return pattern.size() + 2; }
  size_t size() const { return start_.bits_.size() * 64; }

  State Start() const { return start_; }
  State Step(State state, std::string_view text) const;
  // Whether the path read so far matches.
  bool Matches(const State& state) const;

 private:
  using Bits = std::vector<uint64_t>;

  void EnterBehindStars(State& state) const;

  static constexpr uint16_t kNoSet = 0xffff;

  // By character: which of `sets_` has the places that it takes one place further; kNoSet = none.
  std::array<uint16_t, 256> set_of_;
  std::vector<Bits> sets_;
  Bits stars_;    // of them the next place is reached without a character
  Bits staying_;  // that any character leaves where it is: stars, and what lies below a match
  Bits matches_;
  State start_;
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_PATH_PATTERNS_H_
