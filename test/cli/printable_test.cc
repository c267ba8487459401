// What a terminal gets of other people's text.
#include "cli/printable.h"

#include <catch2/catch.hpp>

namespace curlew::cli {
namespace {

TEST_CASE("text stays as it is, but for what steers a terminal or is no text") {
  CHECK(Printable("") == "");
  CHECK(Printable("plain, b\xc3\xbc"
                  "cher, \xe6\x97\xa5, \xf0\x9f\x90\xa6") ==
        "plain, b\xc3\xbc"
        "cher, \xe6\x97\xa5, \xf0\x9f\x90\xa6");
  CHECK(Printable("\x1b[2Jgone\r\n\tend\x7f") == " [2Jgone   end ");
  CHECK(Printable("a\xc2\x9b"
                  "31mb\xc2\xa0") == "a 31mb\xc2\xa0");
  CHECK(Printable("\x28\xb5\x2f\xfd") == "(\xef\xbf\xbd/\xef\xbf\xbd");
  CHECK(Printable("\xe6\x97") == "\xef\xbf\xbd\xef\xbf\xbd");
}

}  // namespace
}  // namespace curlew::cli
