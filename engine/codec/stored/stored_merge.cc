#include "engine/codec/stored/stored_merge.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

constexpr DocId kDocumentsPerCheck = 512;
// Samples are runs of documents, this many, evenly spread.
constexpr uint64_t kRuns = 64;
constexpr size_t kMostSampleBytes = 16 * 1024;  // of one document

uint64_t LiveDocuments(const StoredMergeInput& input) {
  return input.map.size() -
         static_cast<uint64_t>(std::count(input.map.begin(), input.map.end(), kNoMoreDocs));
}

// The one that most was compressed with, if that is half of it or more.
std::string_view SharedDictionary(std::span<const StoredMergeInput> inputs, uint64_t raw_bytes) {
  std::map<std::string_view, uint64_t> bytes;
  for (const StoredMergeInput& input : inputs) {
    const std::string_view dictionary = input.documents->dictionary();
    if (!dictionary.empty()) bytes[dictionary] += LiveRawBytes(input);
  }
  const auto most = std::max_element(
      bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most != bytes.end() && most->second >= raw_bytes / 2 ? most->first : std::string_view();
}

absl::StatusOr<StoredSamples> TakeSamples(std::span<const StoredMergeInput> inputs,
                                          uint64_t documents, uint64_t wanted,
                                          const std::function<absl::Status()>& check) {
  StoredSamples samples;
  uint64_t run = 0;
  uint64_t run_left = 0;
  uint64_t number = 0;  // among those that stay
  for (const StoredMergeInput& input : inputs) {
    const auto cursor = input.documents->NewCursor();
    CURLEW_RETURN_IF_ERROR(check());
    for (DocId doc = 0; doc < input.map.size(); ++doc) {
      if (input.map[doc] == kNoMoreDocs) continue;
      if (number++ >= documents * run / kRuns) {
        ++run;
        run_left = wanted / kRuns;
      }
      if (run_left == 0) continue;
      CURLEW_ASSIGN_OR_RETURN(const StoredDocument document, cursor->Read(doc));
      const size_t before = samples.bytes.size();
      samples.bytes.append(document.id).append(document.routing).append(document.source);
      const size_t size = std::min(samples.bytes.size() - before, kMostSampleBytes);
      samples.bytes.resize(before + size);
      samples.sizes.push_back(size);
      run_left -= std::min<uint64_t>(run_left, size);
    }
  }
  return samples;
}

absl::StatusOr<StoredPlan> PlanOf(const StoredCodec& codec, const StoredFormat& format,
                                  std::span<const StoredMergeInput> inputs,
                                  const std::function<absl::Status()>& check) {
  StoredPlan plan;
  plan.level = format.level;
  uint64_t documents = 0;
  for (const StoredMergeInput& input : inputs) {
    documents += LiveDocuments(input);
    plan.raw_bytes += LiveRawBytes(input);
  }
  const uint64_t wanted = codec.SampleBytes(plan.raw_bytes);
  if (wanted == 0) return plan;
  plan.dictionary = std::string(SharedDictionary(inputs, plan.raw_bytes));
  if (plan.dictionary.empty()) {
    CURLEW_ASSIGN_OR_RETURN(plan.samples, TakeSamples(inputs, documents, wanted, check));
  }
  return plan;
}

absl::Status WriteInput(const StoredMergeInput& input, StoredWriter& writer,
                        const std::function<absl::Status()>& check) {
  const auto cursor = input.documents->NewCursor();
  const auto stays = [](DocId mapped) { return mapped != kNoMoreDocs; };
  const auto count = static_cast<DocId>(input.map.size());
  DocId looked = 0;      // chunks that start before here are not copied
  DocId next_check = 0;  // documents
  for (DocId doc = 0; doc < count;) {
    if (doc >= next_check) {
      CURLEW_RETURN_IF_ERROR(check());
      next_check = doc + kDocumentsPerCheck;
    }
    if (!stays(input.map[doc])) {
      ++doc;
      continue;
    }
    if (doc >= looked) {
      const DocId end = std::min(input.documents->ChunkEnd(doc), count);
      looked = end;
      if (std::all_of(input.map.begin() + doc, input.map.begin() + end, stays)) {
        CURLEW_ASSIGN_OR_RETURN(const bool copied, writer.CopyChunk(*input.documents, doc, end));
        if (copied) {
          doc = end;
          continue;
        }
      }
    }
    CURLEW_ASSIGN_OR_RETURN(const StoredDocument document, cursor->Read(doc));
    writer.Add(document);
    ++doc;
  }
  return absl::OkStatus();
}

}  // namespace

uint64_t LiveRawBytes(const StoredMergeInput& input) {
  std::vector<DocId> live;
  for (DocId doc = 0; doc < input.map.size(); ++doc) {
    if (input.map[doc] != kNoMoreDocs) live.push_back(doc);
  }
  return input.documents->RecordBytes(live);
}

absl::Status MergeStoredDocuments(store::Directory& directory, const std::string& segment,
                                  const StoredFormat& format,
                                  std::span<const StoredMergeInput> inputs,
                                  const std::function<absl::Status()>& check) {
  const StoredCodec* const codec = StoredCodec::Find(format.codec);
  if (codec == nullptr) return IllegalArgument(fmt::format("unknown codec [{}]", format.codec));
  CURLEW_ASSIGN_OR_RETURN(const StoredPlan plan, PlanOf(*codec, format, inputs, check));
  CURLEW_ASSIGN_OR_RETURN(auto writer, codec->NewWriter(directory, segment, plan));
  for (const StoredMergeInput& input : inputs) {
    CURLEW_RETURN_IF_ERROR(WriteInput(input, *writer, check));
  }
  return writer->Finish();
}

}  // namespace curlew::codec
