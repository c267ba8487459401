// Numbers as Java reads and prints them: OpenSearch's documents and queries are defined by that.
// Functions for any thread.
#ifndef CURLEW_ENGINE_MAPPING_JAVA_NUMBERS_H_
#define CURLEW_ENGINE_MAPPING_JAVA_NUMBERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace curlew::mapping {

// Double.parseDouble / Float.parseFloat: blanks around are dropped; "NaN", "Infinity", a final d,
// D, f or F and hexadecimal fractions ("0x1p3") are taken. nullopt: not a number. Too large gives
// infinity, too small zero, as in Java.
std::optional<double> ParseJavaDouble(std::string_view text);
std::optional<float> ParseJavaFloat(std::string_view text);

// What became of a text that should be a whole number.
enum class WholeResult : uint8_t { kOk, kNotANumber, kOutOfRange, kHasFraction };

// A decimal text (sign, digits, fraction, exponent; digits of any script) as a long, cut towards
// zero. kHasFraction: there was something to cut (the number is still given).
WholeResult ParseDecimalToLong(std::string_view text, int64_t& out);

// Double.toString and Float.toString of Java 19 and later (the shortest digits that read back).
std::string JavaToString(double value);
std::string JavaToString(float value);

}  // namespace curlew::mapping

#endif  // CURLEW_ENGINE_MAPPING_JAVA_NUMBERS_H_
