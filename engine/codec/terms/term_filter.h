// Tells of most terms that a field has not that it has not, at the price of one read from memory: a
// Bloom filter whose bits for a key all lie in one word (Putze, Sanders and Singler, "Cache-, Hash-
// and Space-Efficient Bloom Filters", 2007). Twelve bits a term let about one in a hundred through.
#ifndef CURLEW_ENGINE_CODEC_TERMS_TERM_FILTER_H_
#define CURLEW_ENGINE_CODEC_TERMS_TERM_FILTER_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace curlew::codec {

// As it lies in the file (docs/formats/terms.md). A filter without words lets everything through.
class TermFilter {
 public:
  TermFilter() = default;
  explicit TermFilter(std::span<const uint64_t> words) : words_(words) {}

  // False: the term is not there. True: it mostly is.
  bool MayHave(std::string_view term) const;
  std::span<const uint64_t> words() const { return words_; }

 private:
  std::span<const uint64_t> words_;
};

// Collects the terms of a field. More of them than were expected make it let more through.
class TermFilterBuilder {
 public:
  // `terms`: how many are expected; 0 = no filter.
  void Start(uint64_t terms);
  void Add(std::string_view term);
  std::span<const uint64_t> words() const { return words_; }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_TERMS_TERM_FILTER_H_
