// What the writer and the reader of doc values have to agree on (docs/formats/columns.md).
#ifndef CURLEW_ENGINE_CODEC_COLUMNS_COLUMNS_FORMAT_H_
#define CURLEW_ENGINE_CODEC_COLUMNS_COLUMNS_FORMAT_H_

#include <cstdint>
#include <string>

#include "engine/store/checked_file.h"

namespace curlew::codec {

inline constexpr store::FileFormat kColumnsFormat{"columns", 1, 1};
inline std::string ColumnsFileName(const std::string& segment) { return segment + ".columns"; }

enum class ColumnKind : uint8_t { kNumeric = 0, kOrdinals = 1 };

// How a document finds its values.
enum class ColumnLayout : uint8_t {
  kEvery = 0,   // every document has one value: no starts are kept
  kStarts = 1,  // starts[doc] .. starts[doc + 1]
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_COLUMNS_COLUMNS_FORMAT_H_
