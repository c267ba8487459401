#include "engine/catalog/index_metadata.h"

#include <fmt/format.h>

#include "engine/util/bytes.h"
#include "engine/util/crc32c.h"
#include "engine/util/error.h"

namespace curlew::catalog {
namespace {

constexpr std::string_view kMagic = "CRLWINDX";
constexpr uint32_t kVersion = 1;

}  // namespace

absl::Status IndexMetadata::Write(store::Directory& directory) const {
  std::string out(kMagic);
  PutFixed32(out, kVersion);
  PutString(out, name);
  PutString(out, uuid);
  PutVarint(out, static_cast<uint64_t>(created_millis));
  PutVarint(out, settings.size());
  for (const auto& [key, value] : settings) {
    PutString(out, key);
    PutString(out, value);
  }
  PutString(out, mapping_json);
  PutFixed32(out, Crc32c(out));
  return store::WriteAtomically(directory, kFileName, out);
}

absl::StatusOr<IndexMetadata> IndexMetadata::Read(store::Directory& directory) {
  CURLEW_ASSIGN_OR_RETURN(const auto file, directory.Open(kFileName));
  const std::string_view bytes = file->view();
  const auto damaged = [&](std::string_view why) {
    return Corruption(fmt::format("{}/{}: {}", directory.path(), kFileName, why));
  };
  if (bytes.size() < kMagic.size() + 8 || !bytes.starts_with(kMagic)) {
    return damaged("not an index's metadata");
  }
  ByteReader tail(bytes.substr(bytes.size() - 4));
  if (tail.Fixed32() != Crc32c(bytes.substr(0, bytes.size() - 4))) {
    return damaged("checksum does not match");
  }
  ByteReader in(bytes.substr(kMagic.size(), bytes.size() - kMagic.size() - 4));
  if (const uint32_t version = in.Fixed32(); version != kVersion) {
    return damaged(fmt::format("version {} was written by another release; this one reads {}",
                               version, kVersion));
  }
  IndexMetadata out;
  out.name = in.String();
  out.uuid = in.String();
  out.created_millis = static_cast<int64_t>(in.Varint());
  for (uint64_t n = in.Varint(); n > 0 && !in.failed(); --n) {
    std::string key(in.String());
    out.settings[std::move(key)] = in.String();
  }
  out.mapping_json = in.String();
  if (in.failed() || !in.AtEnd()) return damaged("not whole");
  return out;
}

absl::Status DeleteIfPresent(store::Directory& directory, const std::string& name) {
  const absl::Status status = directory.Delete(name);
  return absl::IsNotFound(status) ? absl::OkStatus() : status;
}

}  // namespace curlew::catalog
