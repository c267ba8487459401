// Columns of tables.
#include "cli/table.h"

#include <catch2/catch.hpp>

namespace curlew::cli {
namespace {

TEST_CASE("columns are as wide as their widest cell, in characters") {
  Table table({"health", "index", "size"}, 2);
  table.Add({"green",
             "b\xc3\xbc"
             "cher",
             "1 B"});
  table.Add({"red", std::string(60, 'x'), "1234567.8 MB"}, "failed: damaged");
  CHECK(table.Text() == "health  index" + std::string(55, ' ') + "          size\n" +
                            "green   b\xc3\xbc"
                            "cher" +
                            std::string(54, ' ') + "           1 B\n" + "red     " +
                            std::string(60, 'x') + "  1234567.8 MB\n" +
                            "        failed: damaged\n");
}

TEST_CASE("a table without rows is its head") { CHECK(Table({"a", "b"}, 1).Text() == "a  b\n"); }

TEST_CASE("characters are counted, not bytes") {
  CHECK(CountCharacters("") == 0);
  CHECK(CountCharacters("abc") == 3);
  CHECK(CountCharacters("\xe6\x97\xa5\xf0\x9f\x90\xa6") == 2);
}

}  // namespace
}  // namespace curlew::cli
