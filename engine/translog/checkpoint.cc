#include "engine/translog/checkpoint.h"

#include <fmt/format.h>

#include <string>

#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"
#include "engine/util/error.h"

namespace curlew::translog {
namespace {

constexpr store::FileFormat kFormat{"translog-checkpoint", 1, 1};

}  // namespace

absl::Status WriteCheckpoint(store::Directory& directory, uint64_t oldest_generation) {
  const std::string temporary = std::string(kCheckpointName) + ".tmp";
  CURLEW_ASSIGN_OR_RETURN(auto writer,
                          store::CheckedWriter::Create(directory, temporary, kFormat, ""));
  std::string body;
  PutFixed64(body, oldest_generation);
  writer->Append(body);
  CURLEW_RETURN_IF_ERROR(writer->Finish(/*sync=*/true));
  CURLEW_RETURN_IF_ERROR(directory.Rename(temporary, kCheckpointName));
  return directory.SyncDirectory();
}

absl::StatusOr<uint64_t> ReadCheckpoint(store::Directory& directory) {
  CURLEW_ASSIGN_OR_RETURN(const auto file,
                          store::CheckedFile::Open(directory, kCheckpointName, kFormat, ""));
  ByteReader in(file.bytes().substr(file.body()));
  const uint64_t oldest = in.Fixed64();
  if (in.failed() || !in.AtEnd() || oldest == 0) {
    return Corruption(
        fmt::format("[{}/{}]: not one generation", directory.path(), kCheckpointName));
  }
  return oldest;
}

}  // namespace curlew::translog
