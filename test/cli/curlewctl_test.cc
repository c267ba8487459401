// curlewctl as a user runs it, against a curlewd of its own.
#include <fcntl.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "test/support/server_process.h"
#include "test/support/temp_dir.h"

namespace curlew::test {
namespace {

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Runs curlewctl in a folder of its own, with `input` on standard input.
class Shell {
 public:
  explicit Shell(std::string server) : server_(std::move(server)) {}

  Outcome Run(std::vector<std::string> words, const std::string& input = "") {
    const std::string in = Write("in", input), out = Path("out"), err = Path("err");
    words.insert(words.begin(), CURLEWCTL);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t pid = ::fork();
    REQUIRE(pid >= 0);
    if (pid == 0) {
      ::setenv("CURLEW_SERVER", server_.c_str(), 1);
      ::dup2(::open(in.c_str(), O_RDONLY), STDIN_FILENO);
      ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
      ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
      ::execv(argv[0], argv.data());
      ::_exit(127);
    }
    int status = 0;
    REQUIRE(::waitpid(pid, &status, 0) == pid);
    Outcome outcome;
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    outcome.out = ReadFile(out);
    outcome.err = ReadFile(err);
    UNSCOPED_INFO(fmt::format("{} -> {}\n{}{}", fmt::join(words, " "), outcome.code, outcome.out,
                              outcome.err));
    return outcome;
  }

  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string Write(const std::string& name, const std::string& content) const {
    std::ofstream(Path(name), std::ios::binary) << content;
    return Path(name);
  }

 private:
  const TempDir folder_;
  const std::string server_;
};

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct World {
  TempDir data;
  ServerProcess server{data.path()};
  Shell shell{server.address()};
};

TEST_CASE("curlewctl: a wrong command line is exit code 2, help is 0") {
  Shell shell("127.0.0.1:1");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {},
           {"nosuch"},
           {"index"},
           {"index", "create"},
           {"index", "delete"},
           {"bulk"},
           {"bulk", "/nosuch/file"},
           {"bulk", "-", "--format", "nosuch"},
           {"bulk", "-", "--batch", "0"},
           {"search", "--match", "nofield"},
           {"search", "--match", "=text"},
           {"search", "--body", "no json"},
           {"search", "--body", R"({"nosuch": 1})"},
           {"search", "--size", "many"},
           {"index", "create", "x", "--body", "{}", "--body-file", "-"},
           {"index", "create", "x", "--body-file", "/nosuch/file"},
           {"--timeout", "0", "health"}}) {
    const Outcome outcome = shell.Run(words);
    CHECK(outcome.code == 2);
    CHECK(outcome.err != "");
    CHECK(outcome.out == "");
  }
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"--help"}, {"--version"}, {"bulk", "--help"}, {"index", "create", "--help"}}) {
    const Outcome outcome = shell.Run(words);
    CHECK(outcome.code == 0);
    CHECK(outcome.out != "");
    CHECK(outcome.err == "");
  }
}

TEST_CASE("curlewctl: a server that is not there is exit code 3, and says what to do") {
  Shell shell("127.0.0.1:1");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"health"}, {"index", "list"}, {"index", "create", "x"}, {"search"}}) {
    const Outcome outcome = shell.Run(words);
    CHECK(outcome.code == 3);
    CHECK(Has(outcome.err, "no server answers at 127.0.0.1:1"));
    CHECK(Has(outcome.err, "curlewd --data"));
  }
  CHECK(shell.Run({"bulk", "-", "--index", "x"}, "{}\n").code == 3);
  // The option is taken before the command and behind it.
  CHECK(Has(shell.Run({"--server", "127.0.0.1:2", "health"}).err, "127.0.0.1:2"));
  CHECK(Has(shell.Run({"index", "list", "--server", "127.0.0.1:2"}).err, "127.0.0.1:2"));
}

TEST_CASE("curlewctl: health") {
  World world;
  Outcome outcome = world.shell.Run({"health"});
  CHECK(outcome.code == 0);
  CHECK(outcome.out == "SERVING\n");
  for (const char* service :
       {"org.opensearch.protobufs.services.SearchService",
        "org.opensearch.protobufs.services.DocumentService", "curlew.admin.v1.IndexService"}) {
    CHECK(world.shell.Run({"health", service}).out == "SERVING\n");
  }
  outcome = world.shell.Run({"health", "no.such.Service"});
  CHECK(outcome.code == 1);
  CHECK(Has(outcome.err, "the server has no service [no.such.Service]"));
}

TEST_CASE("curlewctl: indexes are made, shown, listed and deleted") {
  World world;
  Shell& shell = world.shell;
  Outcome outcome = shell.Run({"index", "create", "books", "--body",
                               R"({"settings": {"number_of_shards": 2, "number_of_replicas": 0},
                                   "mappings": {"properties": {"t": {"type": "text"}}}})"});
  CHECK(outcome.code == 0);
  CHECK(outcome.out == "created books\n");
  CHECK(shell.Run({"index", "create", "films"}).code == 0);
  CHECK(shell
            .Run({"index", "create", "songs", "--body-file", "-"},
                 R"({"settings": {"number_of_replicas": 0}})")
            .code == 0);

  outcome = shell.Run({"index", "create", "books"});
  CHECK(outcome.code == 1);
  CHECK(Has(outcome.err, "already exists"));
  CHECK(!Has(outcome.err, "details="));
  outcome = shell.Run({"index", "create", "Wrong"});
  CHECK(outcome.code == 1);
  CHECK(Has(outcome.err, "must be lowercase"));
  outcome = shell.Run({"index", "create", "x", "--body", R"({"settings": {"nosuch": 1}})"});
  CHECK(outcome.code == 1);
  CHECK(Has(outcome.err, "[index.nosuch]"));

  outcome = shell.Run({"index", "list"});
  CHECK(outcome.code == 0);
  CHECK(Has(outcome.out, "health  index"));
  CHECK(Has(outcome.out, "green   books       2         0          0        0"));
  CHECK(Has(outcome.out, "yellow  films       1         1          0        0"));
  outcome = shell.Run({"index", "list", "b*"});
  CHECK(Has(outcome.out, "books"));
  CHECK(!Has(outcome.out, "films"));

  outcome = shell.Run({"index", "get", "books"});
  CHECK(outcome.code == 0);
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  REQUIRE(parser.parse(outcome.out).get(root) == simdjson::SUCCESS);
  std::string_view value;
  REQUIRE(root.at_pointer("/indices/books/mappings/properties/t/type").get(value) ==
          simdjson::SUCCESS);
  CHECK(value == "text");
  REQUIRE(root.at_pointer("/indices/books/settings/index/number_of_shards").get(value) ==
          simdjson::SUCCESS);
  CHECK(value == "2");
  CHECK(shell.Run({"index", "get", "nosuch"}).code == 1);

  outcome = shell.Run({"index", "delete", "books", "films"});
  CHECK(outcome.code == 0);
  CHECK(outcome.out == "deleted books, films\n");
  outcome = shell.Run({"index", "delete", "books"});
  CHECK(outcome.code == 1);
  CHECK(Has(outcome.err, "no such index [books]"));
  REQUIRE(shell.Run({"index", "create", "films"}).code == 0);
  outcome = shell.Run({"index", "delete", "books,films", "nosuch", "--ignore-missing"});
  CHECK(outcome.code == 0);
  CHECK(outcome.out == "not there: books\ndeleted films\nnot there: nosuch\n");
  outcome = shell.Run({"index", "delete", "*"});
  CHECK(outcome.code == 1);
  CHECK(shell.Run({"index", "delete", "*", "--ignore-missing"}).code == 1);
  CHECK(Has(shell.Run({"index", "list"}).out, "songs"));
}

TEST_CASE("curlewctl: bulk loads documents and action files") {
  World world;
  Shell& shell = world.shell;
  std::string documents;
  for (int i = 0; i < 250; ++i) documents += fmt::format("{{\"key\": \"k{}\", \"n\": {}}}\n", i, i);
  const std::string file = shell.Write("documents.jsonl", documents);
  // Two batches and a half of a hundred, and five batches of fifty with nothing left over.
  for (const char* batch : {"100", "50"}) {
    const Outcome outcome = shell.Run(
        {"bulk", file, "--index", "numbers", "--id-field", "key", "--batch", batch, "--refresh"});
    CHECK(outcome.code == 0);
    CHECK(Has(outcome.out, "250 documents in "));
    CHECK(outcome.err == "");
    const Outcome found = shell.Run({"search", "numbers", "--size", "0"});
    CHECK(Has(found.out, "250 hits"));
  }
  const Outcome outcome = shell.Run({"bulk", "-", "--index", "numbers", "--refresh"},
                                    "{\"delete\":{\"_id\":\"k0\"}}\n"
                                    "{\"update\":{\"_id\":\"k1\"}}\n{\"doc\":{\"n\":-1}}\n"
                                    "{\"create\":{\"_index\":\"others\",\"_id\":\"x\"}}\n{}\n");
  CHECK(outcome.code == 0);
  CHECK(Has(outcome.out, "3 documents in "));
  CHECK(Has(shell.Run({"search", "numbers", "--size", "0"}).out, "249 hits"));
  CHECK(Has(shell.Run({"search", "others"}).out, "others/x"));
}

TEST_CASE("curlewctl: documents that fail are listed with their lines, the others are loaded") {
  World world;
  Shell& shell = world.shell;
  REQUIRE(shell
              .Run({"index", "create", "n", "--body",
                    R"({"mappings": {"properties": {"n": {"type": "long"}}}})"})
              .code == 0);
  std::string documents = "{\"n\":1}\n\n{\"n\":\"word\"}\n{\"n\":3}\n{broken\n";
  Outcome outcome = shell.Run({"bulk", "-", "--index", "n", "--refresh"}, documents);
  CHECK(outcome.code == 1);
  CHECK(Has(outcome.err, "2 documents failed:"));
  CHECK(Has(outcome.err, "line 3: ["));
  CHECK(Has(outcome.err, "line 5: ["));
  CHECK(Has(outcome.err, "mapper_parsing_exception"));
  CHECK(Has(outcome.out, "2 documents in "));
  CHECK(Has(shell.Run({"search", "n", "--size", "0"}).out, "2 hits"));

  // The same with ids from the documents, although it is here that those lines are found out.
  outcome = shell.Run({"bulk", "-", "--index", "n", "--id-field", "n", "--refresh"},
                      documents + "{\"m\":1}\n{\"n\":7}\n");
  CHECK(outcome.code == 1);
  CHECK(Has(outcome.err, "3 documents failed:\n  line 3: [word] mapper_parsing_exception"));
  CHECK(Has(outcome.err, "\n  line 5: not valid JSON"));
  CHECK(Has(outcome.err, "\n  line 6: the document has no member [n] for its id: {\"m\":1}\n"));
  CHECK(Has(outcome.out, "3 documents in "));
  CHECK(Has(shell.Run({"search", "n", "--size", "0"}).out, "5 hits"));

  documents.clear();
  for (int i = 0; i < 30; ++i) documents += "{\"n\":\"word\"}\n";
  outcome = shell.Run({"bulk", "-", "--index", "n", "--show-errors", "2"}, documents);
  CHECK(outcome.code == 1);
  CHECK(Has(outcome.err, "30 documents failed, the first 2:"));
  CHECK(Has(outcome.err, "line 2: "));
  CHECK(!Has(outcome.err, "line 3: "));

  // No index anywhere: the server refuses the request as a whole.
  outcome = shell.Run({"bulk", "-"}, "{\"n\":1}\n");
  CHECK(outcome.code == 1);
  CHECK(Has(outcome.err, "index is missing"));
}

TEST_CASE("curlewctl: large documents go out in requests that the server takes") {
  World world;
  Shell& shell = world.shell;
  REQUIRE(
      shell.Run({"index", "create", "a", "--body", R"({"mappings": {"dynamic": "false"}})"}).code ==
      0);
  const auto document = [](size_t size) { return "{\"x\":\"" + std::string(size, 'y') + "\"}\n"; };
  constexpr size_t kMb = 1 << 20;
  Outcome outcome = shell.Run({"bulk", "-", "--index", "a", "--refresh"},
                              document(kMb * 39 / 10) + document(7 * kMb) + document(10));
  CHECK(outcome.code == 0);
  CHECK(Has(outcome.out, "3 documents in "));
  // One that is too large for any request does not end the load.
  outcome = shell.Run({"bulk", "-", "--index", "a", "--refresh"},
                      document(10) + document(11 * kMb) + document(20));
  CHECK(outcome.code == 1);
  CHECK(Has(outcome.out, "2 documents in "));
  CHECK(Has(outcome.err, "1 documents failed:"));
  CHECK(Has(outcome.err, "lines 2 to 2: the request was refused: "));
  CHECK(Has(shell.Run({"search", "a", "--size", "0"}).out, "5 hits"));
}

TEST_CASE("curlewctl: what stands before a broken line is loaded") {
  World world;
  const Outcome outcome = world.shell.Run({"bulk", "-", "--index", "a", "--refresh"},
                                          "{\"index\":{\"_id\":\"1\"}}\n{\"n\":1}\n"
                                          "{\"index\":{\"_id\":\"2\"}}\n{\"n\":2}\n"
                                          "{\"index\":{\"_id\":\"3\"}\n{\"n\":3}\n");
  CHECK(outcome.code == 1);
  CHECK(Has(outcome.err, "line 5: "));
  CHECK(Has(outcome.out, "2 documents in "));
  CHECK(Has(world.shell.Run({"search", "a", "--size", "0"}).out, "2 hits"));
}

TEST_CASE("curlewctl: searches are readable, or JSON") {
  World world;
  Shell& shell = world.shell;
  REQUIRE(shell
              .Run({"bulk", "-", "--refresh"},
                   R"({"index":{"_index":"films","_id":"1"}})"
                   "\n"
                   R"({"title":"The Love of War","year":1931,"genre":"drama"})"
                   "\n"
                   R"({"index":{"_index":"films","_id":"2"}})"
                   "\n"
                   R"({"title":"War and Love","year":1975,"genre":"comedy"})"
                   "\n"
                   R"({"index":{"_index":"films","_id":"3"}})"
                   "\n"
                   R"({"title":"Peace","year":2001,"genre":"drama"})"
                   "\n")
              .code == 0);
  Outcome outcome = shell.Run({"search", "films", "--match", "title=love peace", "--sort", "year"});
  CHECK(outcome.code == 0);
  CHECK(Has(outcome.out, "3 hits in "));
  CHECK(Has(outcome.out, "(1 of 1 shards)"));
  CHECK(Has(outcome.out, "   1.  1931  films/1\n      title  The Love of War\n"));
  CHECK(Has(outcome.out, "   3.  2001  films/3\n"));

  outcome = shell.Run({"search", "films", "--phrase", "title=love of war"});
  CHECK(Has(outcome.out, "1 hit in "));
  CHECK(Has(outcome.out, "films/1"));
  outcome = shell.Run(
      {"search", "films", "-m", "title=love", "-t", "genre.keyword=comedy", "--source", "year"});
  CHECK(Has(outcome.out, "1 hit in "));
  CHECK(Has(outcome.out, "films/2\n      year  1975\n"));
  CHECK(!Has(outcome.out, "title"));
  outcome = shell.Run({"search", "films", "--sort", "year:desc", "--from", "1", "--size", "1"});
  CHECK(Has(outcome.out, "   2.  1975  films/2\n"));
  CHECK(!Has(outcome.out, "films/1"));
  outcome = shell.Run({"search", "films", "--body",
                       R"({"from": 2, "sort": [{"field": "year"}], "query": {"match_all": {}}})"});
  CHECK(Has(outcome.out, "   3.  2001  films/3\n"));

  // What the command line says wins over the body, also where it is the default.
  outcome = shell.Run({"search", "films", "--size", "10", "--from", "0", "--body",
                       R"({"from": 2, "size": 1, "sort": [{"field": "year"}]})"});
  CHECK(Has(outcome.out, "   1.  1931  films/1\n"));
  CHECK(Has(outcome.out, "   3.  2001  films/3\n"));
  outcome = shell.Run({"search", "films", "--body", R"({"size": 1})"});
  CHECK(!Has(outcome.out, "   2.  "));

  outcome =
      shell.Run({"search", "films", "--term", "genre.keyword=drama", "--size", "1", "--json"});
  CHECK(outcome.code == 0);
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  REQUIRE(parser.parse(outcome.out).get(root) == simdjson::SUCCESS);
  std::string_view value;
  REQUIRE(root.at_pointer("/hits/total/total_hits/value").get(value) == simdjson::SUCCESS);
  CHECK(value == "2");
  REQUIRE(root.at_pointer("/hits/hits/0/x_index").get(value) == simdjson::SUCCESS);
  CHECK(value == "films");

  outcome = shell.Run({"search", "films", "-q", "title:love"});
  CHECK(outcome.code == 1);
  CHECK(Has(outcome.err, "not supported"));
  CHECK(Has(shell.Run({"search", "--help"}).out, "refuses it"));

  outcome = shell.Run({"search", "nosuch"});
  CHECK(outcome.code == 1);
  CHECK(outcome.out == "");
  CHECK(Has(outcome.err, "no such index [nosuch]"));
  CHECK(!Has(outcome.err, "details="));
}

TEST_CASE("curlewctl: check says what is wrong with a folder that no server has open") {
  TempDir data;
  {
    ServerProcess server{data.path()};
    Shell shell{server.address()};
    REQUIRE(shell.Run({"index", "create", "logs"}).code == 0);
    REQUIRE(shell.Run({"bulk", "-", "--index", "logs"}, "{\"m\": \"one two\", \"n\": 1}\n").code ==
            0);
    const Outcome locked = shell.Run({"check", data.path()});
    CHECK(locked.code == 1);
    CHECK(Has(locked.err, "another process uses this data folder; stop the server first"));
    server.Signal(SIGTERM);
    REQUIRE(server.Wait() == 0);
  }
  Shell shell("127.0.0.1:1");
  Outcome sound = shell.Run({"check", data.path()});
  CHECK(sound.code == 0);
  CHECK(Has(sound.out, "index logs ("));
  CHECK(Has(sound.out, "segment _0: 1 documents, 0 deleted, "));
  CHECK(Has(sound.out, "no problems\n"));
  sound = shell.Run({"check", data.path(), "--json"});
  CHECK(sound.code == 0);
  simdjson::dom::parser parser;
  simdjson::dom::element json;
  REQUIRE(parser.parse(sound.out).get(json) == simdjson::SUCCESS);
  CHECK(bool(json["ok"]));
  CHECK(json["indexes"].at(0)["shards"].at(0)["segments"].at(0)["docs"].get_int64().value() == 1);

  std::string damaged;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data.path())) {
    if (entry.path().extension() == ".terms") damaged = entry.path().string();
  }
  REQUIRE(damaged != "");
  std::filesystem::resize_file(damaged, std::filesystem::file_size(damaged) - 1);
  const Outcome wrong = shell.Run({"check", data.path()});
  CHECK(wrong.code == 1);
  CHECK(Has(wrong.out, ": DAMAGED\n      PROBLEM: _0.terms: "));
  CHECK(Has(wrong.out, "1 problem\n"));
  const Outcome wrong_json = shell.Run({"check", data.path(), "--json"});
  CHECK(wrong_json.code == 1);
  REQUIRE(parser.parse(wrong_json.out).get(json) == simdjson::SUCCESS);
  CHECK_FALSE(bool(json["ok"]));
  CHECK(json["indexes"].at(0)["shards"].at(0)["segments"].at(0)["problems"].at(0)["file"] ==
        std::string_view("_0.terms"));

  CHECK(shell.Run({"check"}).code == 2);
  CHECK(shell.Run({"check", data.path() + "/nosuch"}).code == 1);
}

}  // namespace
}  // namespace curlew::test
