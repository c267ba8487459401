#include "engine/codec/stored/stored_codec.h"

#include "engine/codec/stored/stored_codecs.h"

namespace curlew::codec {

const StoredCodec* StoredCodec::Find(std::string_view name) {
  for (const StoredCodec* codec : {&NoneCodec(), &Lz4Codec(), &ZstdCodec(), &ZstdNoDictCodec()}) {
    if (codec->name() == name) return codec;
  }
  return nullptr;
}

}  // namespace curlew::codec
