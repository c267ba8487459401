#include "engine/translog/operation.h"

#include "engine/util/bytes.h"
#include "engine/util/error.h"

namespace curlew::translog {

void EncodeOperation(const Operation& operation, std::string& out) {
  out.push_back(static_cast<char>(operation.kind));
  PutVarint(out, ZigZag(operation.seq_no));
  PutVarint(out, ZigZag(operation.primary_term));
  PutVarint(out, ZigZag(operation.version));
  PutString(out, operation.id);
  PutString(out, operation.routing);
  PutString(out, operation.source);
}

absl::StatusOr<Operation> DecodeOperation(std::string_view payload) {
  ByteReader in(payload);
  Operation operation;
  const uint8_t kind = in.Byte();
  operation.kind = static_cast<Operation::Kind>(kind);
  operation.seq_no = UnZigZag(in.Varint());
  operation.primary_term = UnZigZag(in.Varint());
  operation.version = UnZigZag(in.Varint());
  operation.id = in.String();
  operation.routing = in.String();
  operation.source = in.String();
  if (in.failed() || !in.AtEnd()) return Corruption("an operation does not fill its record");
  if (kind < static_cast<uint8_t>(Operation::Kind::kIndex) ||
      kind > static_cast<uint8_t>(Operation::Kind::kNoop)) {
    return Corruption("an operation is of no known kind");
  }
  return operation;
}

}  // namespace curlew::translog
