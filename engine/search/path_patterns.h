// Patterns of dotted paths, matched character by character while a document is walked.
#ifndef CURLEW_ENGINE_SEARCH_PATH_PATTERNS_H_
#define CURLEW_ENGINE_SEARCH_PATH_PATTERNS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"

namespace curlew::search {

// In a pattern `*` stands for any characters, dots included; a pattern matches its paths and all
// below them. A nondeterministic automaton with one state for every place in a pattern.
// Immutable, thread-safe.
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

  State Start() const { return start_; }
  State Step(State state, std::string_view text) const;
  // Whether the path read so far matches.
  bool Matches(const State& state) const;

 private:
  // What the place expects: a character, a star, the end, or what lies below it.
  enum class Kind : uint8_t { kCharacter, kStar, kEnd, kBelow };
  struct Place {
    Kind kind;
    char character;
  };

  void Enter(State& state, size_t place) const;

  std::vector<Place> places_;
  State start_;
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_PATH_PATTERNS_H_
