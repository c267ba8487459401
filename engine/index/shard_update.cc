// Partial updates: read, merge, write back if nobody came between.
#include <fmt/format.h>

#include "engine/index/shard_impl.h"
#include "engine/index/update_document.h"
#include "engine/util/error.h"

namespace curlew::index {

OperationResult ShardImpl::ApplyUpdate(const Operation& operation, Workspace& workspace,
                                       ApplyOutcome& outcome) {
  OperationResult result;
  for (int tries = 0;; ++tries) {
    absl::StatusOr<GetResult> current = Get(operation.id);
    if (!current.ok()) {
      result.status = current.status();
      return result;
    }

    Operation write;
    write.id = operation.id;
    write.routing = operation.routing;
    std::string merged;
    if (!current->found) {
      if (operation.upsert.has_value()) {
        write.source = *operation.upsert;
      } else if (operation.doc_as_upsert && operation.doc.has_value()) {
        write.source = *operation.doc;
      } else {
        result.status = MakeError("document_missing_exception", 404,
                                  fmt::format("[{}]: document missing", Clip(operation.id, 512)));
        return result;
      }
      write.type = OpType::kCreate;
    } else {
      const DocumentMeta meta{current->seq_no, current->primary_term, current->version};
      result.status = CheckSeqNo(operation, meta);
      if (!result.status.ok()) return result;
      absl::StatusOr<UpdatedDocument> updated =
          MergeDocument(current->source, operation.doc.value_or("{}"));
      if (!updated.ok()) {
        result.status = updated.status();
        return result;
      }
      if (operation.detect_noop && !updated->changed) {
        result.kind = ResultKind::kNoop;
        result.version = meta.version;
        result.seq_no = meta.seq_no;
        result.primary_term = meta.primary_term;
        CoverAll(outcome);
        if (operation.want_source) result.get_source = std::move(current->source);
        return result;
      }
      merged = std::move(updated->source);
      write.type = OpType::kIndex;
      write.source = merged;
      if (write.routing.empty()) write.routing = current->routing;
      write.if_seq_no = meta.seq_no;
      write.if_primary_term = meta.primary_term;
    }
    result = ApplyIndex(write, workspace, outcome);
    // Somebody else wrote the document since it was read. As often as the client allows it is done
    // again with what is there now; a client that says which state it means allows none.
    const bool raced = result.status.code() == absl::StatusCode::kAborted;
    if (raced && tries < operation.retry_on_conflict && !operation.if_seq_no.has_value() &&
        !operation.if_primary_term.has_value()) {
      continue;
    }
    if (result.status.ok() && operation.want_source) result.get_source = std::string(write.source);
    return result;
  }
}

}  // namespace curlew::index
