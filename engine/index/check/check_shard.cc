#include "engine/index/check/check_shard.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "engine/codec/check.h"
#include "engine/codec/live_docs/live_docs_checker.h"
#include "engine/codec/live_docs/live_docs_file.h"
#include "engine/index/commit_point.h"
#include "engine/index/segment_files.h"
#include "engine/util/error.h"

namespace curlew::index {

namespace {

using store::FileProblem;
using store::FileProblems;

// The segment's checks; it goes to `opened` when it can be opened.
SegmentCheck CheckSegment(const std::shared_ptr<store::Directory>& directory,
                          const CommittedSegment& committed, const ShardPlace& place,
                          const CommitPoint& commit, std::vector<OpenedSegment>& opened) {
  const SegmentInfo& info = committed.info;
  SegmentCheck check;
  check.name = info.name;
  check.docs = info.max_doc;
  check.stored_codec = info.stored_codec;
  check.problems = codec::CheckSegmentFiles(*directory, info.name, info.max_doc, info.stored_codec);
  bool sound = check.problems.empty();

  const auto bytes = BytesOfSegment(*directory, info.name);
  check.bytes = bytes.value_or(0);
  if (sound && check.bytes != info.size_bytes) {
    check.problems.push_back({CommitFileName(commit.generation),
                              fmt::format("says that segment {} has {} bytes, its files have {}",
                                          info.name, info.size_bytes, check.bytes)});
  }
  OpenedSegment segment;
  if (committed.live_docs_generation != 0) {
    store::AppendProblems(
        check.problems,
        codec::CheckLiveDocs(*directory, info.name, committed.live_docs_generation, info.max_doc));
    auto live_docs =
        codec::ReadLiveDocs(*directory, info.name, committed.live_docs_generation, info.max_doc);
    const std::string file = codec::LiveDocsFileName(info.name, committed.live_docs_generation);
    if (const auto size = directory->Size(file); size.ok()) check.bytes += *size;
    sound = sound && live_docs.ok();
    if (live_docs.ok()) {
      if ((*live_docs)->deleted_count() == 0) {
        check.problems.push_back({file, "marks no document as deleted"});
      }
      segment.live_docs = *std::move(live_docs);
      check.docs = segment.live_docs->live_count();
      check.deleted = segment.live_docs->deleted_count();
    }
  }
  // What is said of documents by a file that is damaged would only repeat that it is.
  if (!sound) return check;
  auto reader = SegmentReader::Open(directory, info);
  if (!reader.ok()) {
    check.problems.push_back({info.name, DescribeError(reader.status()).reason});
    return check;
  }
  segment.reader = *std::move(reader);
  store::AppendProblems(check.problems, CheckDocuments(segment, place, commit.max_seq_no));
  store::AppendProblems(check.problems, CheckFields(segment, place.mapping));
  opened.push_back(std::move(segment));
  return check;
}

void FindLeftovers(const std::vector<std::string>& files, const CommitPoint& commit,
                   ShardCheck& check) {
  std::set<std::string> wanted = {check.commit};
  std::set<std::string> segments;
  for (const CommittedSegment& segment : commit.segments) {
    segments.insert(segment.info.name);
    if (segment.live_docs_generation != 0) {
      wanted.insert(codec::LiveDocsFileName(segment.info.name, segment.live_docs_generation));
    }
  }
  for (const std::string& file : files) {
    const std::string owner = file.substr(0, file.find('.'));
    if (wanted.contains(file) || segments.contains(owner)) continue;
    if (SegmentNumberOfFile(file) || IsPendingCommitFile(file) || file.ends_with(".tmp")) {
      check.remarks.push_back({file, "is not needed: the next start deletes it"});
    } else if (const auto generation = CommitGenerationOfFile(file)) {
      // A newer one is damaged, and a problem already.
      if (*generation < commit.generation) {
        check.remarks.push_back({file, "is not needed: the next start deletes it"});
      }
    } else {
      check.remarks.push_back({file, "is no file of a shard"});
    }
  }
}

void CheckCommit(const std::shared_ptr<store::Directory>& directory, const CommitPoint& commit,
                 const ShardPlace& place, ShardCheck& check) {
  FileProblems problems(check.commit);
  check.max_seq_no = commit.max_seq_no;
  check.local_checkpoint = commit.local_checkpoint;
  if (commit.local_checkpoint < -1 || commit.local_checkpoint > commit.max_seq_no) {
    problems.Add(
        fmt::format("the local checkpoint {} is not between -1 and the largest sequence number {}",
                    commit.local_checkpoint, commit.max_seq_no));
  }
  const translog::TranslogCheck& log = check.translog;
  if (log.newest_generation != 0 && (commit.translog_generation < log.oldest_generation ||
                                     commit.translog_generation > log.newest_generation)) {
    problems.Add(fmt::format("needs the log from generation {} on, which has those from {} to {}",
                             commit.translog_generation, log.oldest_generation,
                             log.newest_generation));
  }
  std::set<std::string> names;
  std::vector<OpenedSegment> opened;
  for (const CommittedSegment& segment : commit.segments) {
    if (!names.insert(segment.info.name).second) {
      problems.Add(fmt::format("names segment {} twice", segment.info.name));
      continue;
    }
    check.segments.push_back(CheckSegment(directory, segment, place, commit, opened));
  }
  store::AppendProblems(check.problems, std::move(problems).Take());
  store::AppendProblems(check.problems, CheckUnique(opened, check.commit));
}

}  // namespace

uint64_t ShardCheck::problem_count() const {
  uint64_t count = problems.size() + translog.problems.size();
  for (const SegmentCheck& segment : segments) count += segment.problems.size();
  return count;
}

ShardCheck CheckShard(std::shared_ptr<store::Directory> directory, const ShardPlace& place) {
  ShardCheck check;
  if (auto log = directory->Sub("translog"); log.ok()) {
    check.translog = translog::CheckTranslog(**log);
  } else {
    check.problems.push_back({"translog", "the folder is missing"});
  }
  const auto files = directory->List();
  const auto commits = ListCommits(*directory);
  if (!files.ok() || !commits.ok()) {
    const absl::Status& status = files.ok() ? commits.status() : files.status();
    check.problems.push_back({".", DescribeError(status).reason});
    return check;
  }
  // The newest one counts; when it is damaged, a start goes back to the one before.
  for (const uint64_t generation : *commits) {
    const auto commit = ReadCommit(*directory, generation);
    if (!commit.ok()) {
      FileProblems problems(CommitFileName(generation));
      problems.AddError(*directory, commit.status());
      store::AppendProblems(check.problems, std::move(problems).Take());
      continue;
    }
    check.commit = CommitFileName(generation);
    CheckCommit(directory, *commit, place, check);
    FindLeftovers(*files, *commit, check);
    return check;
  }
  if (commits->empty()) {
    check.problems.push_back({"segments_N", "there is no commit point"});
  }
  return check;
}

}  // namespace curlew::index
