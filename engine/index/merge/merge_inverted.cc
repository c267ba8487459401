// Terms and postings: one ordered walk over the terms of all inputs.
#include <algorithm>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/codec/terms/inverted_writer.h"
#include "engine/index/merge/merge_parts.h"
#include "engine/mapping/field.h"
#include "engine/util/error.h"

namespace curlew::index {

namespace {

using codec::DocId;

struct Source {
  size_t input;
  const codec::FieldTerms* terms;
  std::unique_ptr<codec::TermIterator> iterator;
};

// The smallest term first; inputs in order where terms are equal.
struct Later {
  bool operator()(const Source* a, const Source* b) const {
    const int order = a->iterator->term().compare(b->iterator->term());
    return order != 0 ? order > 0 : a->input > b->input;
  }
};

using Queue = std::priority_queue<Source*, std::vector<Source*>, Later>;

absl::Status CopyPostings(const MergeJob& job, const std::string& field, const Source& source,
                          codec::InvertedWriter& writer, std::vector<bool>& has_field,
                          uint32_t& doc_count) {
  const std::unique_ptr<codec::Postings> postings =
      source.terms->OpenPostings(source.iterator->entry());
  const std::vector<DocId>& map = job.map[source.input];
  bool sound = true;
  uint32_t count = 0;
  DocId least = 0;
  for (DocId doc = postings->Next(); doc != codec::kNoMoreDocs; doc = postings->Next()) {
    sound = doc >= least && doc < map.size();
    if (!sound) break;
    least = doc + 1;
    ++count;
    const DocId mapped = map[doc];
    if (mapped == codec::kNoMoreDocs) continue;
    writer.AddPosting(mapped, postings->freq(), postings->positions());
    if (!has_field[mapped]) {
      has_field[mapped] = true;
      ++doc_count;
    }
  }
  if (!sound || postings->corrupt() || count != source.iterator->entry().doc_freq) {
    return job.Damaged(source.input, fmt::format("the postings of field [{}]", field));
  }
  return absl::OkStatus();
}

// To the next term, which goes into the queue; the end is the end only if the file is sound.
// `last`: the newest term of the field that has been written, null before the first.
absl::Status Advance(const MergeJob& job, const std::string& field, Source& source,
                     const std::string* last, Queue& queue) {
  if (source.iterator->Next()) {
    if (last != nullptr && source.iterator->term() <= *last) {
      return job.Damaged(source.input, fmt::format("the terms of field [{}]", field));
    }
    queue.push(&source);
  } else if (source.iterator->corrupt()) {
    return job.Damaged(source.input, fmt::format("the terms of field [{}]", field));
  }
  return absl::OkStatus();
}

absl::Status MergeField(const MergeJob& job, const std::string& field,
                        codec::InvertedWriter& writer) {
  std::vector<Source> sources;
  codec::IndexOptions options = codec::IndexOptions::kPositions;
  for (size_t i = 0; i < job.inputs.size(); ++i) {
    const codec::FieldTerms* terms = job.inputs[i].reader->Terms(field);
    if (terms == nullptr) continue;
    // What every input has; the mapping does not let options change, so they are the same.
    options = std::min(options, terms->options());
    sources.push_back({i, terms, terms->Iterate()});
  }
  Queue queue;
  for (Source& source : sources) {
    CURLEW_RETURN_IF_ERROR(Advance(job, field, source, nullptr, queue));
  }
  std::vector<uint8_t> norms;
  CURLEW_RETURN_IF_ERROR(MergedNorms(job, field, norms));
  writer.StartField(field, options, norms);
  if (field == mapping::kIdField) writer.KeepFilter(job.max_doc);
  std::vector<bool> has_field(job.max_doc, false);
  uint32_t doc_count = 0;
  std::string term;
  for (uint32_t n = 0; !queue.empty(); ++n) {
    if (n % 1024 == 0) CURLEW_RETURN_IF_ERROR(job.CheckAbort());
    term = queue.top()->iterator->term();
    writer.StartTerm(term);
    while (!queue.empty() && queue.top()->iterator->term() == term) {
      Source* source = queue.top();
      queue.pop();
      CURLEW_RETURN_IF_ERROR(CopyPostings(job, field, *source, writer, has_field, doc_count));
      CURLEW_RETURN_IF_ERROR(Advance(job, field, *source, &term, queue));
    }
    writer.FinishTerm();
  }
  writer.FinishField(doc_count);
  return absl::OkStatus();
}

}  // namespace

absl::Status MergeInverted(const MergeJob& job) {
  CURLEW_ASSIGN_OR_RETURN(auto writer, codec::InvertedWriter::Create(job.directory, job.name));
  std::set<std::string> fields;
  for (const MergeInput& input : job.inputs) {
    fields.insert(input.reader->term_fields().begin(), input.reader->term_fields().end());
  }
  for (const std::string& field : fields) {
    CURLEW_RETURN_IF_ERROR(MergeField(job, field, *writer));
  }
  return writer->Finish();
}

}  // namespace curlew::index
