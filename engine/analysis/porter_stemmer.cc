#include "engine/analysis/porter_stemmer.h"

#include <initializer_list>
#include <string_view>

#include "engine/analysis/utf8.h"

namespace curlew::analysis {
namespace {

// The word as letters; `size` arguments name prefixes of it.
class Stemmer {
 public:
  explicit Stemmer(std::string& word) : word_(word) {}

  void Run() {
    RemovePlural();
    RemovePastOrProgressive();
    if (word_.ends_with('y') && HasVowel(word_.size() - 1)) word_.back() = 'i';
    ShortenDoubleSuffix();
    RemoveSimpleSuffix();
    RemoveLongStemSuffix();
    Tidy();
  }

 private:
  struct Rule {
    std::string_view suffix;
    std::string_view replacement;
  };

  // A y is a consonant at the start and after a vowel.
  static bool IsConsonant(char c, bool at_start_or_after_vowel) {
    switch (c) {
      case 'a':
      case 'e':
      case 'i':
      case 'o':
      case 'u':
        return false;
      case 'y':
        return at_start_or_after_vowel;
      default:
        return true;
    }
  }

  bool IsConsonant(size_t i) const {
    // Of a row of y every other one is a consonant.
    size_t first = i;
    while (word_[i] == 'y' && first > 0 && word_[first - 1] == 'y') --first;
    const bool consonant =
        IsConsonant(word_[first], first == 0 || !IsConsonant(word_[first - 1], false));
    return (i - first) % 2 == 0 ? consonant : !consonant;
  }

  // How many times a vowel is followed by a consonant in the first `size` bytes; counts to 2, more
  // is never asked for. The bytes of a character beyond ASCII are one row of consonants.
  int Measure(size_t size) const {
    int count = 0;
    bool after_vowel = false;
    for (size_t i = 0; i < size && count < 2; ++i) {
      const bool consonant = IsConsonant(word_[i], i == 0 || after_vowel);
      if (consonant && after_vowel) ++count;
      after_vowel = !consonant;
    }
    return count;
  }

  bool HasVowel(size_t size) const {
    for (size_t i = 0; i < size; ++i) {
      // Without a vowel before it, only the first y is a consonant.
      if (!IsConsonant(word_[i], i == 0)) return true;
    }
    return false;
  }

  // The length of the last character if the one before is the same and a consonant, else 0.
  size_t DoubledConsonant() const {
    const char* const begin = word_.data();
    const char* const end = begin + word_.size();
    const char* const last = PreviousCodePoint(end);
    const auto size = static_cast<size_t>(end - last);
    if (word_.size() < 2 * size || size == 4) return 0;
    if (word_.compare(word_.size() - 2 * size, size, last, size) != 0) return 0;
    return IsConsonant(word_.size() - size) ? size : 0;
  }

  // Consonant, vowel, consonant other than w, x and y at the end of the first `size` bytes. A
  // character outside the BMP is two UTF-16 code units to Lucene, so two consonants.
  bool EndsShort(size_t size) const {
    if (size < 3) return false;
    const char* const last = PreviousCodePoint(word_.data() + size);
    const auto i = static_cast<size_t>(last - word_.data());
    return i >= 2 && size - i < 4 && IsConsonant(i) && !IsConsonant(i - 1) && IsConsonant(i - 2) &&
           *last != 'w' && *last != 'x' && *last != 'y';
  }

  // The size without the suffix.
  size_t Without(std::string_view suffix) const { return word_.size() - suffix.size(); }

  char BeforeLast() const { return word_.size() < 2 ? '\0' : word_[word_.size() - 2]; }

  // Step 1a.
  void RemovePlural() {
    if (!word_.ends_with('s')) return;
    if (word_.ends_with("sses") || word_.ends_with("ies")) {
      word_.resize(word_.size() - 2);
    } else if (!word_.ends_with("ss")) {
      word_.pop_back();
    }
  }

  // Step 1b.
  void RemovePastOrProgressive() {
    if (word_.ends_with("eed")) {
      if (Measure(Without("eed")) > 0) word_.pop_back();
      return;
    }
    const std::string_view suffix = word_.ends_with("ed")    ? std::string_view("ed")
                                    : word_.ends_with("ing") ? std::string_view("ing")
                                                             : std::string_view();
    if (suffix.empty() || !HasVowel(Without(suffix))) return;
    word_.resize(Without(suffix));
    if (word_.ends_with("at") || word_.ends_with("bl") || word_.ends_with("iz")) {
      word_.push_back('e');
    } else if (const size_t doubled = DoubledConsonant(); doubled != 0) {
      const char last = word_.back();
      if (last != 'l' && last != 's' && last != 'z') word_.resize(word_.size() - doubled);
    } else if (Measure(word_.size()) == 1 && EndsShort(word_.size())) {
      word_.push_back('e');
    }
  }

  // Replaces the first suffix that fits, where the rest has a vowel and a consonant after it.
  void Replace(std::initializer_list<Rule> rules) {
    for (const Rule& rule : rules) {
      if (!word_.ends_with(rule.suffix)) continue;
      const size_t rest = Without(rule.suffix);
      if (Measure(rest) > 0) word_.replace(rest, std::string::npos, rule.replacement);
      return;
    }
  }

  // Removes the first suffix that fits, where the rest is long.
  void Remove(std::initializer_list<std::string_view> suffixes) {
    for (std::string_view suffix : suffixes) {
      if (!word_.ends_with(suffix)) continue;
      const size_t rest = Without(suffix);
      if (Measure(rest) > 1) word_.resize(rest);
      return;
    }
  }

  // Step 2. Of suffixes that end alike, the longest stands first.
  void ShortenDoubleSuffix() {
    switch (BeforeLast()) {
      case 'a':
        return Replace({{"ational", "ate"}, {"tional", "tion"}});
      case 'c':
        return Replace({{"enci", "ence"}, {"anci", "ance"}});
      case 'e':
        return Replace({{"izer", "ize"}});
      case 'g':
        return Replace({{"logi", "log"}});
      case 'l':
        return Replace(
            {{"bli", "ble"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"}});
      case 'o':
        return Replace({{"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}});
      case 's':
        return Replace(
            {{"alism", "al"}, {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"}});
      case 't':
        return Replace({{"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"}});
      default:
        return;
    }
  }

  // Step 3.
  void RemoveSimpleSuffix() {
    switch (word_.back()) {
      case 'e':
        return Replace({{"icate", "ic"}, {"ative", ""}, {"alize", "al"}});
      case 'i':
        return Replace({{"iciti", "ic"}});
      case 'l':
        return Replace({{"ical", "ic"}, {"ful", ""}});
      case 's':
        return Replace({{"ness", ""}});
      default:
        return;
    }
  }

  // Step 4.
  void RemoveLongStemSuffix() {
    switch (BeforeLast()) {
      case 'a':
        return Remove({"al"});
      case 'c':
        return Remove({"ance", "ence"});
      case 'e':
        return Remove({"er"});
      case 'i':
        return Remove({"ic"});
      case 'l':
        return Remove({"able", "ible"});
      case 'n':
        return Remove({"ant", "ement", "ment", "ent"});
      case 'o':
        if (word_.ends_with("sion") || word_.ends_with("tion")) return Remove({"ion"});
        return Remove({"ou"});
      case 's':
        return Remove({"ism"});
      case 't':
        return Remove({"ate", "iti"});
      case 'u':
        return Remove({"ous"});
      case 'v':
        return Remove({"ive"});
      case 'z':
        return Remove({"ize"});
      default:
        return;
    }
  }

  // Step 5: a last e, and ll.
  void Tidy() {
    const size_t size = word_.size();
    if (word_.ends_with('e')) {
      const int measure = Measure(size);
      if (measure > 1 || (measure == 1 && !EndsShort(size - 1))) word_.pop_back();
    }
    if (word_.ends_with("ll") && Measure(size) > 1) word_.pop_back();
  }

  std::string& word_;
};

// Counted in UTF-16 code units, as Lucene does.
bool IsLongerThanTwo(const std::string& word) {
  int units = 0;
  for (const char *p = word.data(), *end = p + word.size(); p < end && units <= 2;) {
    const CodePoint c = Decode(p);
    units += c.utf16_units();
    p += c.bytes;
  }
  return units > 2;
}

}  // namespace

void PorterStem(std::string& word) {
  if (IsLongerThanTwo(word)) Stemmer(word).Run();
}

}  // namespace curlew::analysis
