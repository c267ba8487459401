// The folders of a node's indexes: how one is made and removed so that a stop at any moment leaves
// a whole index or one that is known to be needless. Nothing else is ever deleted at a start.
#ifndef CURLEW_ENGINE_CATALOG_INDEX_FOLDERS_H_
#define CURLEW_ENGINE_CATALOG_INDEX_FOLDERS_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/store/directory.h"

namespace curlew::catalog {

// Empty files beside the folders say what is going on with one: "<folder>.creating" from before the
// folder is there until its index is whole and durable, "<folder>.deleted" from the moment on which
// the index is gone until its folder is. A folder with neither holds an index, and one that cannot
// be opened is damaged: it stays.
//
// One call at a time.
class IndexFolders {
 public:
  static constexpr char kCreating[] = ".creating";
  static constexpr char kDeleted[] = ".deleted";

  // `indices`: the folder above them.
  explicit IndexFolders(std::shared_ptr<store::Directory> indices) : indices_(std::move(indices)) {}

  // A folder that should hold an index, and what is in the way of opening it.
  struct Found {
    std::string folder;
    absl::Status status;
  };
  // At the start: finishes what was interrupted, and lists what is there. Leftovers that cannot be
  // removed now are not listed, the next start tries again. Errors: the folders cannot be listed.
  absl::StatusOr<std::vector<Found>> Recover();

  absl::StatusOr<std::shared_ptr<store::Directory>> Open(const std::string& folder) {
    return indices_->Sub(folder);
  }

  // An empty folder that is a leftover until FinishCreation.
  absl::StatusOr<std::shared_ptr<store::Directory>> StartCreation(const std::string& folder);
  // The index in it, metadata included, is durable: from now on it is kept.
  absl::Status FinishCreation(const std::string& folder);

  // Removes the folder. `gone` is called once it is possible that a later start finds the deletion:
  // from then on the index must not be used, whatever this returns. An error before that has
  // changed nothing; after it the deletion may not last, or the files may still take up space until
  // the next start.
  absl::Status Remove(const std::string& folder, const std::function<void()>& gone);

 private:
  // The folder, durably, and then its markers.
  absl::Status Clear(const std::string& folder);

  const std::shared_ptr<store::Directory> indices_;
};

}  // namespace curlew::catalog

#endif  // CURLEW_ENGINE_CATALOG_INDEX_FOLDERS_H_
