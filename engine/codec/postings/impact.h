// What a document can add to a score, apart from the term: how often the term occurs, and how long
// the field is.
#ifndef CURLEW_ENGINE_CODEC_POSTINGS_IMPACT_H_
#define CURLEW_ENGINE_CODEC_POSTINGS_IMPACT_H_

#include <cstdint>
#include <span>
#include <vector>

namespace curlew::codec {

// The norm of a document in a field that keeps none: a length of one.
inline constexpr uint8_t kNoNorm = 1;

struct Impact {
  uint32_t freq = 1;
  uint8_t norm = kNoNorm;
  bool operator==(const Impact&) const = default;
};

// The impacts of some documents of which no other is at least as frequent and as short: whatever
// the weights of the two, the best of all is among them. Frequencies ascend, and so do norms.
class ImpactFront {
 public:
  void Clear() { impacts_.clear(); }
  void Add(Impact impact);
  std::span<const Impact> impacts() const { return impacts_; }

 private:
  std::vector<Impact> impacts_;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POSTINGS_IMPACT_H_
