#include "test/cases/case_runner.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>

#include "protos/curlew/admin/v1/index_service.grpc.pb.h"
#include "protos/opensearch/services/document_service.grpc.pb.h"
#include "protos/opensearch/services/search_service.grpc.pb.h"

namespace curlew::test {
namespace {

namespace os = org::opensearch::protobufs;

// Differ between any two servers, or are words for people.
const std::vector<std::string> kNotCompared = {
    "took",          "ingest_took", "stack_trace", "reason",  "caused_by",
    "suppressed",    "metadata",    "header",      "x_node",  "pit_id",
    "creation_time", "root_cause",  "phase_took",  "details", "description"};

constexpr size_t kLoadChunk = 1000;

const char* CodeName(grpc::StatusCode code) {
  static constexpr const char* kNames[] = {"OK",
                                           "CANCELLED",
                                           "UNKNOWN",
                                           "INVALID_ARGUMENT",
                                           "DEADLINE_EXCEEDED",
                                           "NOT_FOUND",
                                           "ALREADY_EXISTS",
                                           "PERMISSION_DENIED",
                                           "RESOURCE_EXHAUSTED",
                                           "FAILED_PRECONDITION",
                                           "ABORTED",
                                           "OUT_OF_RANGE",
                                           "UNIMPLEMENTED",
                                           "INTERNAL",
                                           "UNAVAILABLE",
                                           "DATA_LOSS",
                                           "UNAUTHENTICATED"};
  return code >= 0 && code <= 16 ? kNames[code] : "?";
}

// An answer, or the error that came instead.
struct Answer {
  grpc::Status status;
  Json response;
  std::map<size_t, std::string> sources;  // x_source bytes by hit
};

class Server {
 public:
  explicit Server(const std::string& address) {
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(-1);
    arguments.SetMaxSendMessageSize(-1);
    arguments.SetInt(GRPC_ARG_MAX_METADATA_SIZE, 1 << 20);
    auto channel =
        grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
    search_ = os::services::SearchService::NewStub(channel);
    documents_ = os::services::DocumentService::NewStub(channel);
    admin_ = admin::v1::IndexService::NewStub(channel);
  }

  Answer Call(const std::string& rpc, const Json& request) {
    if (rpc == "Search") {
      os::SearchResponse response;
      Answer answer = Unary<os::SearchRequest>(
          request, response, [&](auto* c, auto& q, auto* r) { return search_->Search(c, q, r); });
      for (int i = 0; i < response.hits().hits_size(); ++i) {
        answer.sources[static_cast<size_t>(i)] = response.hits().hits(i).x_source();
      }
      return answer;
    }
    if (rpc == "Bulk") {
      os::BulkResponse response;
      return Unary<os::BulkRequest>(
          request, response, [&](auto* c, auto& q, auto* r) { return documents_->Bulk(c, q, r); });
    }
    if (rpc == "CreatePit") {
      os::CreatePITResponse response;
      return Unary<os::CreatePitRequest>(request, response, [&](auto* c, auto& q, auto* r) {
        return search_->CreatePit(c, q, r);
      });
    }
    if (rpc == "DeletePit") {
      os::DeletePITResponse response;
      return Unary<os::DeletePitRequest>(request, response, [&](auto* c, auto& q, auto* r) {
        return search_->DeletePit(c, q, r);
      });
    }
    if (rpc == "ServerStreamSearch") return Stream(request);
    throw std::runtime_error("unknown rpc " + rpc);
  }

  void DeleteIndex(const std::string& name) {
    admin::v1::DeleteIndexRequest request;
    request.add_index(name);
    request.set_ignore_unavailable(true);
    admin::v1::AcknowledgedResponse response;
    grpc::ClientContext context;
    Require(admin_->DeleteIndex(&context, request, &response), "delete " + name);
  }

  void CreateIndex(const std::string& name, const Json& body) {
    admin::v1::CreateIndexRequest request;
    request.set_index(name);
    request.set_body_json(body.dump());
    admin::v1::CreateIndexResponse response;
    grpc::ClientContext context;
    Require(admin_->CreateIndex(&context, request, &response), "create " + name);
  }

  void Refresh(const std::string& name) {
    admin::v1::IndicesRequest request;
    request.add_index(name);
    admin::v1::BroadcastResponse response;
    grpc::ClientContext context;
    Require(admin_->Refresh(&context, request, &response), "refresh " + name);
  }

  void Load(const std::string& index, const std::vector<std::pair<std::string, Json>>& documents) {
    for (size_t start = 0; start < documents.size(); start += kLoadChunk) {
      Json items = Json::array();
      for (size_t i = start; i < std::min(start + kLoadChunk, documents.size()); ++i) {
        items.push_back({{"operation_container", {{"index", {{"x_id", documents[i].first}}}}},
                         {"object", documents[i].second}});
      }
      const Answer answer = Call("Bulk", {{"index", index}, {"bulk_request_body", items}});
      Require(answer.status, "load into " + index);
      if (answer.response.value("errors", false)) {
        throw std::runtime_error("load into " + index + ": " +
                                 answer.response.dump().substr(0, 800));
      }
    }
  }

 private:
  static void Require(const grpc::Status& status, const std::string& what) {
    if (!status.ok()) {
      throw std::runtime_error(what + ": " + CodeName(status.error_code()) + " " +
                               status.error_message());
    }
  }

  template <typename Request, typename Response, typename Method>
  static Answer Unary(const Json& json, Response& response, const Method& method) {
    Request request;
    FromCaseJson(json, request);
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(120));
    Answer answer;
    answer.status = method(&context, request, &response);
    if (answer.status.ok()) answer.response = ToCaseJson(response);
    return answer;
  }

  Answer Stream(const Json& json) {
    os::SearchRequest request;
    FromCaseJson(json, request);
    grpc::ClientContext context;
    auto reader = search_->ServerStreamSearch(&context, request);
    Answer answer;
    answer.response = Json::array();
    os::SearchResponse response;
    while (reader->Read(&response)) answer.response.push_back(ToCaseJson(response));
    answer.status = reader->Finish();
    return answer;
  }

  std::unique_ptr<os::services::SearchService::Stub> search_;
  std::unique_ptr<os::services::DocumentService::Stub> documents_;
  std::unique_ptr<admin::v1::IndexService::Stub> admin_;
};

// Documents of a corpus file: JSON lines, compressed with zstd if so named; "id" becomes the id.
std::vector<std::pair<std::string, Json>> ReadDocuments(const Json& spec, const std::string& data) {
  if (data.empty()) throw std::runtime_error("needs the corpora, which are not here");
  const std::string path = data + "/" + spec["path"].get<std::string>();
  const std::string command = (path.ends_with(".zst") ? "zstd -dcq '" : "cat '") + path + "'";
  const size_t limit = spec.value("limit", size_t{1} << 40);
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::vector<std::pair<std::string, Json>> documents;
  std::unique_ptr<char, void (*)(void*)> line(nullptr, std::free);
  char* buffer = nullptr;
  size_t capacity = 0;
  while (documents.size() < limit && ::getline(&buffer, &capacity, pipe.get()) > 0) {
    Json document = Json::parse(buffer);
    std::string id = std::to_string(documents.size());
    if (document.contains("id")) {
      id = document["id"].is_string() ? document["id"].get<std::string>() : document["id"].dump();
      document.erase("id");
    }
    documents.emplace_back(std::move(id), std::move(document));
  }
  line.reset(buffer);
  if (documents.empty()) throw std::runtime_error("no documents in " + path);
  return documents;
}

void SetUp(Server& server, const Json& file, const std::string& data) {
  if (file.contains("indices")) {
    for (const auto& [name, body] : file["indices"].items()) {
      server.DeleteIndex(name);
      if (!body.is_null()) server.CreateIndex(name, body);
    }
  }
  if (file.contains("docs")) {
    for (const auto& [index, documents] : file["docs"].items()) {
      std::vector<std::pair<std::string, Json>> list;
      for (const Json& pair : documents) list.emplace_back(pair[0].get<std::string>(), pair[1]);
      server.Load(index, list);
      server.Refresh(index);
    }
  }
  if (file.contains("docs_files")) {
    for (const Json& spec : file["docs_files"]) {
      server.Load(spec["index"], ReadDocuments(spec, data));
      server.Refresh(spec["index"]);
    }
  }
}

// "$name" stands for a value that an earlier step saved.
Json Substitute(const Json& json, const std::map<std::string, Json>& saved) {
  if (json.is_string()) {
    const std::string& text = json.get_ref<const std::string&>();
    if (text.starts_with('$')) {
      if (const auto it = saved.find(text.substr(1)); it != saved.end()) return it->second;
    }
    return json;
  }
  if (!json.is_structured()) return json;  // a number iterates over itself
  Json out = json;
  for (Json& below : out) below = Substitute(below, saved);
  return out;
}

Json Dig(const Json& json, const std::string& path) {
  const Json* at = &json;
  size_t start = 0;
  while (start <= path.size()) {
    const size_t dot = std::min(path.find('.', start), path.size());
    const std::string part = path.substr(start, dot - start);
    if (at->is_array()) {
      at = &at->at(std::stoul(part));
    } else if (at->contains(part)) {
      at = &at->at(part);
    } else {
      return nullptr;
    }
    start = dot + 1;
  }
  return *at;
}

// Where ties may come in any order: equal hits ordered by id; of the last group, which may be cut,
// only scores and sort values are kept.
Json WithoutTies(Json response) {
  if (!response.contains("hits") || !response["hits"].contains("hits")) return response;
  const auto key = [](const Json& hit) {
    if (hit.contains("sort")) return hit["sort"].dump();
    const double score = hit.contains("x_score") ? hit["x_score"].value("double", 0.0) : 0.0;
    return std::to_string(std::round(score * 1e5));
  };
  std::vector<std::vector<Json>> groups;
  for (const Json& hit : response["hits"]["hits"]) {
    if (groups.empty() || key(groups.back().front()) != key(hit)) groups.emplace_back();
    groups.back().push_back(hit);
  }
  Json hits = Json::array();
  for (size_t g = 0; g < groups.size(); ++g) {
    std::stable_sort(groups[g].begin(), groups[g].end(), [](const Json& a, const Json& b) {
      return a.value("x_id", "") < b.value("x_id", "");
    });
    for (const Json& hit : groups[g]) {
      if (g + 1 < groups.size()) {
        hits.push_back(hit);
        continue;
      }
      Json kept = Json::object();
      for (const char* name : {"x_score", "sort"}) {
        if (hit.contains(name)) kept[name] = hit[name];
      }
      hits.push_back(kept);
    }
  }
  response["hits"]["hits"] = hits;
  return response;
}

std::vector<std::string> Check(const Json& step, const Answer& answer, bool ties) {
  const std::string got = std::string(CodeName(answer.status.error_code())) + " " +
                          answer.status.error_message().substr(0, 300);
  if (step.contains("any")) {
    // The original fails by a defect of its own: any answer but a failure of the server's.
    switch (answer.status.error_code()) {
      case grpc::INTERNAL:
      case grpc::UNKNOWN:
      case grpc::UNAVAILABLE:
      case grpc::DEADLINE_EXCEEDED:
        return {got};
      default:
        return {};
    }
  }
  if (step.contains("code")) {
    if (CodeName(answer.status.error_code()) == step["code"]) return {};
    return {got + ", want " + step["code"].get<std::string>() + " " +
            step.value("message", "").substr(0, 160)};
  }
  if (!answer.status.ok()) return {got};
  std::vector<std::string> ignored = kNotCompared;
  for (const Json& name : step.value("ignore", Json::array())) ignored.push_back(name);
  std::vector<std::string> out;
  if (step.contains("responses")) {
    out = Differences(step["responses"], answer.response, ignored);
  } else if (step.contains("response")) {
    out = ties ? Differences(WithoutTies(step["response"]), WithoutTies(answer.response), ignored)
               : Differences(step["response"], answer.response, ignored);
  } else {
    return {"the step states no expectation"};
  }
  if (out.empty() && step.contains("bytes")) {
    for (const auto& [path, base64] : step["bytes"].items()) {
      // hits.hits.<n>.x_source
      const size_t hit = std::stoul(path.substr(std::string("hits.hits.").size()));
      const std::string want = Base64Decode(base64);
      const auto source = answer.sources.find(hit);
      if (source == answer.sources.end() || source->second != want) {
        out.push_back("bytes of " + path + " differ");
      }
    }
  }
  return out;
}

}  // namespace

size_t CaseOutcome::passed() const {
  size_t count = 0;
  for (const StepOutcome& step : steps) count += step.differences.empty() ? 1 : 0;
  return count;
}

Json ReadCaseFile(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  return Json::parse(in);
}

size_t CountCalls(const Json& file) {
  size_t count = 0;
  for (const Json& step : file["steps"]) count += step.contains("rpc") ? 1 : 0;
  return count;
}

CaseOutcome RunCaseFile(const std::string& address, const Json& file, const std::string& data) {
  CaseOutcome outcome;
  Server server(address);
  try {
    SetUp(server, file, data);
  } catch (const std::exception& error) {
    outcome.setup_error = error.what();
    return outcome;
  }
  const bool ties = file.value("ties", "") == "any";
  std::map<std::string, Json> saved;
  for (const Json& step : file["steps"]) {
    StepOutcome result;
    try {
      if (step.contains("refresh")) {
        server.Refresh(step["refresh"]);
        continue;
      }
      result.name = step["name"];
      const Answer answer = server.Call(step["rpc"], Substitute(step["request"], saved));
      const Json saves = step.value("save", Json::object());
      for (const auto& [name, path] : saves.items()) {
        saved[name] = Dig(answer.response, path);
      }
      result.differences = Check(step, answer, ties);
    } catch (const std::exception& error) {
      result.differences = {error.what()};
    }
    outcome.steps.push_back(std::move(result));
  }
  if (file.contains("indices")) {
    for (const auto& [name, body] : file["indices"].items()) {
      try {
        server.DeleteIndex(name);
      } catch (const std::exception& error) {
        outcome.steps.push_back({"delete index " + name, {error.what()}});
      }
    }
  }
  return outcome;
}

}  // namespace curlew::test
