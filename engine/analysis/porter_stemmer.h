// The Porter stemmer for English, as Lucene applies it.
#ifndef CURLEW_ENGINE_ANALYSIS_PORTER_STEMMER_H_
#define CURLEW_ENGINE_ANALYSIS_PORTER_STEMMER_H_

#include <string>

namespace curlew::analysis {

// Replaces `word` (UTF-8, lower case) by its stem, never a longer one. M. F. Porter, "An algorithm
// for suffix stripping", Program 14(3), 1980, with the three departures that Porter's own later
// programs and Lucene's PorterStemmer have and Snowball's `porter` has not: words of one or two
// characters (UTF-16 code units) stay, step 2 maps -bli to -ble (not only -abli to -able), and
// -logi to -log. All characters but aeiou and y count as consonants.
void PorterStem(std::string& word);

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_PORTER_STEMMER_H_
