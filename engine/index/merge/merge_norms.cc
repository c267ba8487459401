// Norms: each input's bytes, put where its documents have gone.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/codec/norms/norms_file.h"
#include "engine/index/merge/merge_parts.h"
#include "engine/util/error.h"

namespace curlew::index {

using codec::DocId;

absl::Status MergedNorms(const MergeJob& job, const std::string& field,
                         std::vector<uint8_t>& bytes) {
  bytes.clear();
  for (size_t i = 0; i < job.inputs.size(); ++i) {
    const codec::Norms* norms = job.inputs[i].reader->NormsOf(field);
    if (norms == nullptr) continue;
    const std::span<const uint8_t> old = norms->bytes();
    if (old.size() != job.map[i].size()) {
      return job.Damaged(i, fmt::format("the norms of field [{}]", field));
    }
    bytes.resize(job.max_doc, 0);
    for (DocId doc = 0; doc < old.size(); ++doc) {
      const DocId mapped = job.map[i][doc];
      if (mapped != codec::kNoMoreDocs) bytes[mapped] = old[doc];
    }
  }
  if (std::all_of(bytes.begin(), bytes.end(), [](uint8_t norm) { return norm == 0; })) {
    bytes.clear();
  }
  return absl::OkStatus();
}

absl::Status MergeNorms(const MergeJob& job) {
  CURLEW_ASSIGN_OR_RETURN(auto writer,
                          codec::NormsWriter::Create(job.directory, job.name, job.max_doc));
  std::set<std::string> fields;
  for (const MergeInput& input : job.inputs) {
    for (std::string& field : input.reader->norm_fields()) fields.insert(std::move(field));
  }
  std::vector<uint8_t> bytes;
  for (const std::string& field : fields) {
    CURLEW_RETURN_IF_ERROR(job.CheckAbort());
    CURLEW_RETURN_IF_ERROR(MergedNorms(job, field, bytes));
    if (!bytes.empty()) writer->AddField(field, bytes);
  }
  return writer->Finish();
}

}  // namespace curlew::index
