// The codecs behind StoredCodec::Find, one in each file beside this one.
#ifndef CURLEW_ENGINE_CODEC_STORED_STORED_CODECS_H_
#define CURLEW_ENGINE_CODEC_STORED_STORED_CODECS_H_

#include <string>

#include "engine/codec/stored/stored_codec.h"

namespace curlew::codec {

inline std::string StoredFileName(const std::string& segment) { return segment + ".stored"; }

// Documents as they are: views straight into the mapped file.
const StoredCodec& NoneCodec();

// Chunks of up to 16 KiB (LZ4) or 12 KiB of documents, each compressed by itself; a larger document
// is a chunk of its own.
const StoredCodec& Lz4Codec();
const StoredCodec& ZstdNoDictCodec();

// The same; a segment large enough for it has a dictionary that its chunks, of up to 8 KiB then,
// were compressed with.
const StoredCodec& ZstdCodec();

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_STORED_STORED_CODECS_H_
