#include "engine/codec/stored/zstd_dictionary.h"

#include <zdict.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

#include "engine/codec/stored/zstd_chunks.h"

namespace curlew::codec {
namespace {

constexpr uint64_t kLeastRawBytes = 8ull << 20;
constexpr uint64_t kMostDictionaryBytes = 64ull << 10;
constexpr uint64_t kRawPerDictionaryByte = 256;
constexpr uint64_t kSamplesPerDictionaryByte = 16;
// Of the samples, in the order of the documents, every fourth stretch is kept for the proof.
constexpr size_t kStretches = 64;

// What `raw` takes in chunks of `chunk_bytes`; 0 when it cannot be told.
uint64_t Compressed(std::string_view raw, size_t chunk_bytes, int level,
                    std::string_view dictionary) {
  const auto compressor = NewZstdCompressor(level, dictionary);
  if (!compressor.ok()) return 0;
  uint64_t bytes = 0;
  std::string out;
  for (size_t at = 0; at < raw.size(); at += chunk_bytes) {
    if (!(*compressor)->Compress(raw.substr(at, chunk_bytes), out).ok()) return 0;
    bytes += out.size();
  }
  return bytes;
}

}  // namespace

uint64_t DictionaryBytes(uint64_t raw_bytes) {
  if (raw_bytes < kLeastRawBytes) return 0;
  return std::min(raw_bytes / kRawPerDictionaryByte, kMostDictionaryBytes);
}

uint64_t DictionarySampleBytes(uint64_t raw_bytes) {
  return DictionaryBytes(raw_bytes) * kSamplesPerDictionaryByte;
}

std::string TrainDictionary(const StoredSamples& samples, uint64_t raw_bytes, int level) {
  const uint64_t wanted = DictionaryBytes(raw_bytes);
  const std::string_view all = samples.bytes;
  if (wanted == 0 || all.empty()) return {};
  std::string training;
  std::vector<size_t> sizes;
  std::string proof;
  size_t at = 0;
  for (const size_t size : samples.sizes) {
    const std::string_view document = all.substr(at, size);
    if (at * kStretches / all.size() % 4 == 3) {
      proof.append(document);
    } else {
      training.append(document);
      sizes.push_back(size);
    }
    at += size;
  }
  std::string dictionary(wanted, '\0');
  const size_t got = ZDICT_trainFromBuffer(dictionary.data(), dictionary.size(), training.data(),
                                           sizes.data(), static_cast<unsigned>(sizes.size()));
  // Too few samples, or nothing in common.
  if (ZDICT_isError(got) || proof.empty()) return {};
  dictionary.resize(got);
  const uint64_t without = Compressed(proof, kPlainChunkBytes, level, {});
  const uint64_t with = Compressed(proof, kDictionaryChunkBytes, level, dictionary);
  if (with == 0 || with >= without) return {};
  const double saved = static_cast<double>(without - with) / static_cast<double>(proof.size());
  const bool pays =
      saved * static_cast<double>(raw_bytes) >= 2 * static_cast<double>(dictionary.size());
  return pays ? dictionary : std::string();
}

}  // namespace curlew::codec
