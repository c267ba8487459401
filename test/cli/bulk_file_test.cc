// Lines of bulk files to items of requests.
#include "cli/bulk_file.h"

#include <catch2/catch.hpp>
#include <sstream>
#include <vector>

#include "cli/command.h"
#include "protos/opensearch/bulk_request.pb.h"

namespace curlew::cli {
namespace {

namespace os = org::opensearch::protobufs;

struct Read {
  std::vector<os::BulkRequestBody> items;
  std::vector<uint64_t> lines;
  std::vector<std::pair<uint64_t, std::string>> bad;  // lines that are no operation, and why
  uint64_t bytes = 0;
  std::string error;  // of the line behind which nothing is read
};

Read ReadAll(const std::string& text, BulkFormat format = BulkFormat::kAuto,
             const std::string& id_field = "") {
  std::istringstream in(text);
  BulkFile file(in, format, id_field);
  Read read;
  for (bool more = true; more;) {
    try {
      os::BulkRequestBody item;
      more = file.Next(item);
      if (!more) break;
      read.items.push_back(item);
      read.lines.push_back(file.line());
    } catch (const BadLine& bad) {
      read.bad.emplace_back(bad.line(), bad.what());
    } catch (const CommandError& error) {
      CHECK(error.code() == kFailed);
      read.error = error.what();
      break;
    }
  }
  read.bytes = file.bytes();
  return read;
}

// The one error of a text whose first lines may be fine.
std::string ErrorOf(const std::string& text, BulkFormat format = BulkFormat::kActions) {
  const Read read = ReadAll(text, format);
  CHECK(read.error != "");
  return read.error;
}

TEST_CASE("actions of every kind with all that they may say") {
  const Read read = ReadAll(
      R"({"index":{"_index":"i","_id":"1","routing":"r","pipeline":"p","require_alias":true,)"
      R"("if_seq_no":3,"if_primary_term":4,"version":5,"version_type":"external"}})"
      "\n{\"n\": 1.50}\n"
      R"({"create":{"_id":2}})"
      "\n{\"n\":2}\n"
      R"({"update":{"_id":"3","retry_on_conflict":6}})"
      "\n"
      R"({"doc":{"a":[1, 2.50]} , "upsert":{"b": 0.10, "c":1e2},"doc_as_upsert":false,"detect_noop":false})"
      "\n"
      R"({"delete":{"_index":"j","_id":"4","version":7,"version_type":"external_gte"}})"
      "\n"
      R"({"index":{}})"
      "\n{}\n");
  REQUIRE(read.error == "");
  REQUIRE(read.items.size() == 5);
  CHECK(read.lines == std::vector<uint64_t>{1, 3, 5, 7, 8});

  const auto& index = read.items[0].operation_container().index();
  CHECK(index.x_index() == "i");
  CHECK(index.x_id() == "1");
  CHECK(index.routing() == "r");
  CHECK(index.pipeline() == "p");
  CHECK(index.require_alias());
  CHECK(index.if_seq_no() == 3);
  CHECK(index.if_primary_term() == 4);
  CHECK(index.version() == 5);
  CHECK(index.version_type() == os::VERSION_TYPE_EXTERNAL);
  CHECK(read.items[0].object() == "{\"n\": 1.50}");  // to the byte

  CHECK(read.items[1].operation_container().create().x_id() == "2");
  CHECK(read.items[1].object() == "{\"n\":2}");

  const auto& update = read.items[2];
  CHECK(update.operation_container().update().x_id() == "3");
  CHECK(update.operation_container().update().retry_on_conflict() == 6);
  CHECK(update.update_action().doc() == R"({"a":[1, 2.50]})");  // to the byte
  CHECK(update.update_action().upsert() == R"({"b": 0.10, "c":1e2})");
  CHECK(update.update_action().has_doc_as_upsert());
  CHECK(!update.update_action().doc_as_upsert());
  CHECK(update.update_action().has_detect_noop());
  CHECK(!update.update_action().detect_noop());
  CHECK(!update.has_object());

  const auto& deletion = read.items[3].operation_container().delete_();
  CHECK(deletion.x_index() == "j");
  CHECK(deletion.x_id() == "4");
  CHECK(deletion.version() == 7);
  CHECK(deletion.version_type() == os::VERSION_TYPE_EXTERNAL_GTE);

  CHECK(read.items[4].operation_container().has_index());
  CHECK(!read.items[4].operation_container().index().has_x_id());
}

TEST_CASE("the first line decides what a file holds") {
  const std::string actions = "{\"delete\":{\"_id\":\"1\"}}\n";
  CHECK(ReadAll(actions).items[0].operation_container().has_delete_());
  // Asked for documents, the same line is one.
  CHECK(ReadAll(actions, BulkFormat::kDocuments).items[0].object() + "\n" == actions);
  for (const char* document :
       {R"({"title":"x"})", R"({"index":"a word"})", R"({"index":{},"create":{}})", "{}"}) {
    const Read read = ReadAll(std::string(document) + "\n");
    REQUIRE(read.items.size() == 1);
    CHECK(read.items[0].operation_container().has_index());
    CHECK(read.items[0].object() == document);
  }
}

TEST_CASE("blank lines, carriage returns and a last line without an end") {
  const Read read = ReadAll("\n  \r\n{\"a\":1}\r\n\n\t\n{\"a\":2}");
  REQUIRE(read.error == "");
  REQUIRE(read.items.size() == 2);
  CHECK(read.lines == std::vector<uint64_t>{3, 6});
  CHECK(read.items[1].object() == "{\"a\":2}");
  CHECK(ReadAll("").items.empty());
  CHECK(ReadAll("\n\n").items.empty());
  CHECK(ReadAll("{\"a\":1}\n").bytes == 8);
}

TEST_CASE("a member of the documents can be their id") {
  const Read read =
      ReadAll("{\"key\":\"a\"}\n{\"key\":17,\"x\":1}\n", BulkFormat::kDocuments, "key");
  REQUIRE(read.items.size() == 2);
  CHECK(read.items[0].operation_container().index().x_id() == "a");
  CHECK(read.items[1].operation_container().index().x_id() == "17");
  CHECK(read.items[1].object() == "{\"key\":17,\"x\":1}");

  // Lines without one are told, and those behind them read.
  const Read missing = ReadAll(
      "{\"key\":\"a\"}\n\n{\"x\":1}\n{\"key\":null}\n{\"key\":1.5}\n{\"key\":\"b\"\n[]\n{\"key\":"
      "\"c\"}\n",
      BulkFormat::kDocuments, "key");
  CHECK(missing.error == "");
  CHECK(missing.lines == std::vector<uint64_t>{1, 8});
  REQUIRE(missing.bad.size() == 5);
  for (size_t i = 0; i < missing.bad.size(); ++i) CHECK(missing.bad[i].first == 3 + i);
  CHECK(missing.bad[0].second == "the document has no member [key] for its id: {\"x\":1}");
  CHECK(missing.bad[2].second.find("has to be a string") != std::string::npos);
  CHECK(missing.bad[3].second.find("not valid JSON") == 0);
  CHECK(missing.bad[4].second.find("a JSON object is expected") == 0);
}

TEST_CASE("what updates with makes no sense: the items behind it are read") {
  const std::string update = "{\"update\":{\"_id\":\"1\"}}\n";
  const Read read =
      ReadAll(update + "{\"script\":{}}\n" + update + "[]\n" + update + "{\"doc_as_upsert\":3}\n" +
              update + "{\"doc\":{} x\n" + update + "{\"doc\":{}}\n");
  CHECK(read.error == "");
  CHECK(read.lines == std::vector<uint64_t>{9});
  REQUIRE(read.bad.size() == 4);
  for (size_t i = 0; i < read.bad.size(); ++i) CHECK(read.bad[i].first == 2 + 2 * i);
  CHECK(read.bad[0].second.find("member [script] of an update is not supported") == 0);
}

TEST_CASE("what does not fit is told with its line") {
  CHECK(ErrorOf("{\"index\":{}}\n{}\nno json\n").find("line 3: not valid JSON") == 0);
  CHECK(ErrorOf("{\"index\":{}}\n{}\n{\"title\":1}\n").find("line 3: an action line such as") == 0);
  CHECK(ErrorOf("{\"index\":{}}\n\n").find("the document of the last action is missing") !=
        std::string::npos);
  CHECK(ErrorOf("[1]\n").find("line 1: a JSON object is expected") == 0);
  CHECK(ErrorOf("{\"index\":{\"_type\":\"x\"}}\n{}\n").find("unknown member [_type]") !=
        std::string::npos);
  CHECK(ErrorOf("{\"create\":{\"if_seq_no\":1}}\n{}\n").find("unknown member [if_seq_no]") !=
        std::string::npos);
  CHECK(ErrorOf("{\"index\":{\"version_type\":\"force\"}}\n{}\n")
            .find("unknown version_type [force]") != std::string::npos);
  CHECK(ErrorOf("{\"index\":{\"version\":\"x\"}}\n{}\n").find("line 1: ") == 0);
  CHECK(ErrorOf("{\"index\":{\"_id\":1.10}}\n{}\n").find("has to be a string") !=
        std::string::npos);
  // A long line is cut in the message.
  CHECK(ErrorOf("x" + std::string(100000, 'y')).size() < 500);
}

}  // namespace
}  // namespace curlew::cli
