// Token streams by analyzer, kept for reuse from document to document.
#ifndef CURLEW_ENGINE_INDEX_BUFFER_TOKEN_STREAMS_H_
#define CURLEW_ENGINE_INDEX_BUFFER_TOKEN_STREAMS_H_

#include <memory>
#include <unordered_map>

#include "engine/analysis/analyzer.h"
#include "engine/analysis/token_stream.h"

namespace curlew::index {

// One thread at a time. Analyzers live as long as their registry, which outlives the shard.
class TokenStreams {
 public:
  analysis::TokenStream& Get(const analysis::Analyzer& analyzer) {
    auto& stream = streams_[&analyzer];
    if (stream == nullptr) stream = analyzer.NewStream();
    return *stream;
  }

 private:
  std::unordered_map<const analysis::Analyzer*, std::unique_ptr<analysis::TokenStream>> streams_;
};

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_BUFFER_TOKEN_STREAMS_H_
