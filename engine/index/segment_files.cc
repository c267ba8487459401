#include "engine/index/segment_files.h"

#include <algorithm>
#include <utility>

#include "engine/util/error.h"

namespace curlew::index {

std::string SegmentName(uint64_t number) {
  std::string digits;
  do {
    digits.push_back("0123456789abcdefghijklmnopqrstuvwxyz"[number % 36]);
    number /= 36;
  } while (number != 0);
  digits.push_back('_');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::optional<uint64_t> SegmentNumberOfFile(std::string_view file) {
  if (file.size() < 2 || file[0] != '_') return std::nullopt;
  const size_t end = file.find_first_of("._", 1);
  if (end == std::string_view::npos || end == 1 || end > 13) return std::nullopt;
  uint64_t number = 0;
  for (const char c : file.substr(1, end - 1)) {
    if (c >= '0' && c <= '9') {
      number = number * 36 + static_cast<uint64_t>(c - '0');
    } else if (c >= 'a' && c <= 'z') {
      number = number * 36 + static_cast<uint64_t>(c - 'a') + 10;
    } else {
      return std::nullopt;
    }
  }
  return number;
}

absl::StatusOr<std::vector<std::string>> FilesOfSegment(store::Directory& directory,
                                                        const std::string& segment) {
  CURLEW_ASSIGN_OR_RETURN(std::vector<std::string> files, directory.List());
  const std::string prefix = segment + ".";
  std::erase_if(files, [&](const std::string& file) { return !file.starts_with(prefix); });
  return files;
}

absl::StatusOr<uint64_t> BytesOfSegment(store::Directory& directory, const std::string& segment) {
  CURLEW_ASSIGN_OR_RETURN(std::vector<std::string> files, FilesOfSegment(directory, segment));
  uint64_t bytes = 0;
  for (const std::string& file : files) {
    CURLEW_ASSIGN_OR_RETURN(const uint64_t size, directory.Size(file));
    bytes += size;
  }
  return bytes;
}

absl::StatusOr<std::shared_ptr<const SegmentReader>> SegmentFiles::Open(const SegmentInfo& info) {
  CURLEW_ASSIGN_OR_RETURN(std::shared_ptr<const SegmentReader> reader,
                          SegmentReader::Open(directory_, info));
  {
    std::lock_guard lock(mutex_);
    open_.insert_or_assign(info.name, info.size_bytes);
  }
  const SegmentReader* raw = reader.get();
  return std::shared_ptr<const SegmentReader>(
      raw, [owner = std::move(reader), files = shared_from_this(),
            name = info.name](const SegmentReader*) mutable {
        owner.reset();
        files->ReaderGone(name);
      });
}

void SegmentFiles::AddCommitted(const std::set<std::string>& segments) {
  std::lock_guard lock(mutex_);
  committed_.insert(segments.begin(), segments.end());
}

void SegmentFiles::SetCommitted(std::set<std::string> segments) {
  std::lock_guard lock(mutex_);
  std::swap(committed_, segments);
  for (const std::string& segment : segments) {
    if (!committed_.contains(segment) && !open_.contains(segment)) DeleteFiles(segment);
  }
}

SegmentFiles::Mapped SegmentFiles::mapped() {
  std::lock_guard lock(mutex_);
  Mapped mapped;
  for (const auto& [name, bytes] : open_) mapped.bytes += bytes;
  mapped.segments = open_.size();
  return mapped;
}

void SegmentFiles::Detach() {
  std::lock_guard lock(mutex_);
  detached_ = true;
}

void SegmentFiles::Discard(const std::string& segment) {
  std::lock_guard lock(mutex_);
  if (!committed_.contains(segment) && !open_.contains(segment)) DeleteFiles(segment);
}

void SegmentFiles::ReaderGone(const std::string& segment) {
  std::lock_guard lock(mutex_);
  open_.erase(segment);
  if (!committed_.contains(segment)) DeleteFiles(segment);
}

void SegmentFiles::DeleteFiles(const std::string& segment) {
  if (detached_) return;
  absl::StatusOr<std::vector<std::string>> files = directory_->List();
  if (!files.ok()) return;
  const std::optional<uint64_t> number = SegmentNumberOfFile(segment + ".");
  for (const std::string& file : *files) {
    if (SegmentNumberOfFile(file) == number) directory_->Delete(file).IgnoreError();
  }
}

}  // namespace curlew::index
