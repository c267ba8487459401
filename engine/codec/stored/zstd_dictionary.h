// When a segment gets a dictionary of its own, how large it is, and how it comes about.
#ifndef CURLEW_ENGINE_CODEC_STORED_ZSTD_DICTIONARY_H_
#define CURLEW_ENGINE_CODEC_STORED_ZSTD_DICTIONARY_H_

#include <cstdint>
#include <string>

#include "engine/codec/stored/stored_codec.h"

namespace curlew::codec {

// Inflating 16 KiB of dense text takes zstd more than 30 us; LZ4 has time for it.
inline constexpr size_t kPlainChunkBytes = 12 * 1024;

// With a dictionary a chunk need not be as large to compress well: half the size costs 2 % of the
// space and saves half of the time that reading a document takes (docs/decisions/0006).
inline constexpr size_t kDictionaryChunkBytes = 8 * 1024;

// For a segment of so many bytes of documents: 1/256 of them, at most 64 KiB. 0 below 8 MiB, where
// training takes longer than compressing and what is saved is soon merged again.
uint64_t DictionaryBytes(uint64_t raw_bytes);
// How many bytes of samples are worth training on.
uint64_t DictionarySampleBytes(uint64_t raw_bytes);

// A dictionary by zstd's own trainer (ZDICT's fast cover), or empty where it does not pay: when it
// saves less than twice its own size. That is measured on samples that it was not trained on.
std::string TrainDictionary(const StoredSamples& samples, uint64_t raw_bytes, int level);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_STORED_ZSTD_DICTIONARY_H_
