// A table for people: columns as wide as what stands in them.
#ifndef CURLEW_CLI_TABLE_H_
#define CURLEW_CLI_TABLE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace curlew::cli {

class Table {
 public:
  // The first `left_columns` are aligned to the left, the others (numbers) to the right.
  Table(std::vector<std::string> head, size_t left_columns);

  // One cell a column. `note`, if any, stands on a line of its own below the row.
  void Add(std::vector<std::string> cells, std::string note = "");

  std::string Text() const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::string note;
  };

  const size_t left_columns_;
  std::vector<Row> rows_;  // the head is the first
};

// Characters of UTF-8, which is what a terminal shows of them (but for those of double width).
size_t CountCharacters(std::string_view text);

}  // namespace curlew::cli

#endif  // CURLEW_CLI_TABLE_H_
