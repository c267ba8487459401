#include "cli/table.h"

#include <algorithm>
#include <utility>

namespace curlew::cli {
namespace {

constexpr size_t kGap = 2;

}  // namespace

size_t CountCharacters(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;  // no continuation
  }));
}

Table::Table(std::vector<std::string> head, size_t left_columns) : left_columns_(left_columns) {
  Add(std::move(head));
}

void Table::Add(std::vector<std::string> cells, std::string note) {
  rows_.push_back({std::move(cells), std::move(note)});
}

std::string Table::Text() const {
  std::vector<size_t> widths(rows_.front().cells.size(), 0);
  for (const Row& row : rows_) {
    for (size_t i = 0; i < row.cells.size(); ++i) {
      widths[i] = std::max(widths[i], CountCharacters(row.cells[i]));
    }
  }
  std::string text;
  for (const Row& row : rows_) {
    for (size_t i = 0; i < row.cells.size(); ++i) {
      const std::string padding(widths[i] - CountCharacters(row.cells[i]), ' ');
      if (i > 0) text.append(kGap, ' ');
      text += i < left_columns_ ? row.cells[i] + padding : padding + row.cells[i];
    }
    text += '\n';
    if (!row.note.empty()) text += std::string(widths[0] + kGap, ' ') + row.note + '\n';
  }
  return text;
}

}  // namespace curlew::cli
