#include "engine/store/checked_file.h"

#include <fmt/format.h>

#include <utility>

#include "engine/util/bytes.h"
#include "engine/util/crc32c.h"
#include "engine/util/error.h"

namespace curlew::store {
namespace {

constexpr uint32_t kMagic = 0x574c5243;  // "CRLW" as it lies in the file
constexpr size_t kFooterSize = 4 + 8 + 4;
constexpr size_t kBufferSize = 64 << 10;

}  // namespace

absl::StatusOr<std::unique_ptr<CheckedWriter>> CheckedWriter::Create(Directory& directory,
                                                                     const std::string& name,
                                                                     const FileFormat& format,
                                                                     std::string_view owner) {
  std::unique_ptr<CheckedWriter> writer(new CheckedWriter());
  CURLEW_ASSIGN_OR_RETURN(writer->file_, directory.Create(name));
  writer->buffer_.reserve(kBufferSize);
  PutFixed32(writer->buffer_, kMagic);
  PutString(writer->buffer_, format.name);
  PutFixed32(writer->buffer_, format.version);
  PutString(writer->buffer_, owner);
  return writer;
}

CheckedWriter::~CheckedWriter() = default;

void CheckedWriter::Append(std::string_view data) {
  if (buffer_.size() + data.size() > kBufferSize) Flush();
  if (data.size() < kBufferSize) {
    buffer_.append(data);
    return;
  }
  crc_ = Crc32c(data, crc_);
  flushed_ += data.size();
  if (status_.ok()) status_ = file_->Append(data);
}

void CheckedWriter::Align(uint32_t alignment) {
  const uint64_t past = position() & (alignment - 1);
  if (past != 0) Append(std::string(alignment - past, '\0'));
}

uint64_t CheckedWriter::position() const { return flushed_ + buffer_.size(); }

absl::Status CheckedWriter::Finish(bool sync) {
  Flush();
  std::string footer;
  PutFixed32(footer, ~kMagic);
  PutFixed64(footer, flushed_);
  PutFixed32(footer, crc_);
  if (status_.ok()) status_ = file_->Append(footer);
  if (status_.ok() && sync) status_ = file_->Sync();
  const absl::Status closed = file_->Close();
  if (status_.ok()) status_ = closed;
  return status_;
}

void CheckedWriter::Flush() {
  if (buffer_.empty()) return;
  crc_ = Crc32c(buffer_, crc_);
  flushed_ += buffer_.size();
  if (status_.ok()) status_ = file_->Append(buffer_);
  buffer_.clear();
}

absl::StatusOr<CheckedFile> CheckedFile::Open(Directory& directory, const std::string& name,
                                              const FileFormat& format, std::string_view owner,
                                              bool verify) {
  CheckedFile file;
  file.name_ = name;
  CURLEW_ASSIGN_OR_RETURN(file.file_, directory.Open(name));
  const std::string_view all = file.file_->view();
  const auto corrupt = [&](std::string_view what) {
    return Corruption(fmt::format("[{}/{}]: {}", directory.path(), name, what));
  };

  if (all.size() < kFooterSize) return corrupt(fmt::format("{} bytes are too few", all.size()));
  ByteReader footer(all.substr(all.size() - kFooterSize));
  file.bytes_ = all.substr(0, all.size() - kFooterSize);
  if (footer.Fixed32() != ~kMagic) return corrupt("no footer at the end: cut off, or damaged");
  if (const uint64_t length = footer.Fixed64(); length != file.bytes_.size()) {
    return corrupt(fmt::format("footer says {} bytes, found {}", length, file.bytes_.size()));
  }

  ByteReader header(file.bytes_);
  if (header.Fixed32() != kMagic) return corrupt("not a file of this program, or damaged");
  const std::string_view format_name = header.String();
  file.version_ = header.Fixed32();
  const std::string_view found_owner = header.String();
  if (header.failed()) return corrupt("the header is damaged");
  // First, so that damage is not mistaken for another format, version or owner.
  if (const uint32_t crc = footer.Fixed32(); verify && Crc32c(file.bytes_) != crc) {
    return corrupt("the checksum does not match: damaged");
  }
  if (format_name != format.name) {
    return corrupt(fmt::format("is of format [{}], not [{}]", Clip(format_name), format.name));
  }
  if (file.version_ > format.version) {
    return corrupt(fmt::format("format [{}] version {} is newer than {}: a later release wrote it",
                               format.name, file.version_, format.version));
  }
  if (file.version_ < format.oldest) {
    return corrupt(fmt::format("format [{}] version {} is older than {}, the oldest still read",
                               format.name, file.version_, format.oldest));
  }
  if (found_owner != owner) {
    return corrupt(fmt::format("belongs to [{}], not [{}]", Clip(found_owner), Clip(owner)));
  }
  file.body_ = file.bytes_.size() - header.remaining();
  return file;
}

}  // namespace curlew::store
