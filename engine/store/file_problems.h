// What a checker finds wrong with a file.
#ifndef CURLEW_ENGINE_STORE_FILE_PROBLEMS_H_
#define CURLEW_ENGINE_STORE_FILE_PROBLEMS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "engine/store/directory.h"

namespace curlew::store {

struct FileProblem {
  std::string file;  // its name within its folder
  std::string what;
  bool operator==(const FileProblem&) const = default;
};

// Gathers the problems of a file. A file that is wrong in one place is often wrong in millions:
// those behind the first kMost are only counted. One thread at a time.
class FileProblems {
 public:
  static constexpr uint64_t kMost = 20;

  explicit FileProblems(std::string file) : file_(std::move(file)) {}

  void Add(std::string what) {
    if (++count_ <= kMost) problems_.push_back({file_, std::move(what)});
  }
  // An error of a reader of that file in `directory`, without the path that it names.
  void AddError(const Directory& directory, const absl::Status& status);
  bool empty() const { return count_ == 0; }
  // All of them; a last one says how many there are besides.
  std::vector<FileProblem> Take() &&;

 private:
  const std::string file_;
  uint64_t count_ = 0;
  std::vector<FileProblem> problems_;
};

// Moves `more` behind `problems`.
inline void AppendProblems(std::vector<FileProblem>& problems, std::vector<FileProblem> more) {
  problems.insert(problems.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
}

}  // namespace curlew::store

#endif  // CURLEW_ENGINE_STORE_FILE_PROBLEMS_H_
