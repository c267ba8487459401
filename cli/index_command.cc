#include <fmt/format.h>
#include <google/protobuf/util/json_util.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

#include "cli/command.h"
#include "cli/connection.h"
#include "cli/table.h"
#include "protos/curlew/admin/v1/index_service.grpc.pb.h"

namespace curlew::cli {
namespace {

namespace pb = curlew::admin::v1;

std::unique_ptr<pb::IndexService::Stub> Stub(const Context& context) {
  return pb::IndexService::NewStub(Connect(context));
}

std::string ReadFile(const std::string& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::ifstream in(path, std::ios::binary);
  if (!in) throw CommandError(kUsage, fmt::format("cannot read {}", path));
  return {std::istreambuf_iterator<char>(in), {}};
}

void Create(const Context& context, const std::string& name, const std::string& body) {
  pb::CreateIndexRequest request;
  request.set_index(name);
  request.set_body_json(body);
  pb::CreateIndexResponse response;
  Require(Stub(context)->CreateIndex(NewCall(context).get(), request, &response), context);
  std::cout << fmt::format("created {}\n", response.index());
}

grpc::Status CallDelete(const Context& context, const std::vector<std::string>& names) {
  pb::DeleteIndexRequest request;
  request.mutable_index()->Assign(names.begin(), names.end());
  pb::AcknowledgedResponse response;
  return Stub(context)->DeleteIndex(NewCall(context).get(), request, &response);
}

void Delete(const Context& context, const std::vector<std::string>& names) {
  Require(CallDelete(context, names), context);
  std::cout << fmt::format("deleted {}\n", fmt::join(names, ", "));
}

// A name at a time: what the server would pass over in silence is told.
void DeleteIfThere(const Context& context, const std::vector<std::string>& names) {
  for (const std::string& list : names) {
    std::istringstream words(list);
    for (std::string name; std::getline(words, name, ',');) {
      if (name.empty()) continue;
      const grpc::Status status = CallDelete(context, {name});
      if (status.error_code() == grpc::NOT_FOUND) {
        std::cout << fmt::format("not there: {}\n", name);
        continue;
      }
      Require(status, context);
      std::cout << fmt::format("deleted {}\n", name);
    }
  }
}

void Get(const Context& context, const std::vector<std::string>& names) {
  pb::GetIndexRequest request;
  request.mutable_index()->Assign(names.begin(), names.end());
  pb::GetIndexResponse response;
  Require(Stub(context)->GetIndex(NewCall(context).get(), request, &response), context);
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = true;
  options.preserve_proto_field_names = true;
  std::string json;
  const auto status = google::protobuf::util::MessageToJsonString(response, &json, options);
  if (!status.ok()) throw CommandError(kFailed, status.ToString());
  std::cout << json;
}

std::string Bytes(int64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1000 && unit + 1 < std::size(kUnits); ++unit) value /= 1000;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

void List(const Context& context, const std::vector<std::string>& names) {
  pb::ListIndicesRequest request;
  request.mutable_index()->Assign(names.begin(), names.end());
  pb::ListIndicesResponse response;
  Require(Stub(context)->ListIndices(NewCall(context).get(), request, &response), context);
  Table table({"health", "index", "shards", "replicas", "documents", "deleted", "size"},
              /*left_columns=*/2);
  for (const auto& index : response.indices()) {
    table.Add({index.health(), index.index(), std::to_string(index.primaries()),
               std::to_string(index.replicas()), std::to_string(index.docs_count()),
               std::to_string(index.docs_deleted()), Bytes(index.store_bytes())},
              index.status() == "open" ? "" : index.status());
  }
  std::cout << table.Text();
}

}  // namespace

void AddIndexCommand(CLI::App& app, Context& context) {
  CLI::App* index = app.add_subcommand("index", "Creates, deletes, shows and lists indexes");
  index->require_subcommand(1);

  struct CreateOptions {
    std::string name, body, body_file;
  };
  auto create = std::make_shared<CreateOptions>();
  CLI::App* command = index->add_subcommand("create", "Creates an index");
  command->add_option("name", create->name, "Its name")->required();
  auto* body = command->add_option(
      "--body", create->body,
      R"(Settings and mappings as REST takes them: '{"mappings":{"properties":{...}}}')");
  command->add_option("--body-file", create->body_file, "The same from a file (- = standard input)")
      ->excludes(body);
  command->callback([&context, create] {
    Create(context, create->name,
           create->body_file.empty() ? create->body : ReadFile(create->body_file));
  });

  struct NamesOptions {
    std::vector<std::string> names;
    bool ignore_missing = false;
  };
  auto remove = std::make_shared<NamesOptions>();
  command = index->add_subcommand("delete", "Deletes indexes with all their documents");
  command->add_option("names", remove->names, "Their names")->required();
  command->add_flag("--ignore-missing", remove->ignore_missing, "A name that is not there is fine");
  command->callback([&context, remove] {
    remove->ignore_missing ? DeleteIfThere(context, remove->names) : Delete(context, remove->names);
  });

  auto get = std::make_shared<NamesOptions>();
  command = index->add_subcommand("get", "Shows settings and mappings as JSON");
  command->add_option("names", get->names, "Names and patterns; none = all");
  command->callback([&context, get] { Get(context, get->names); });

  auto list = std::make_shared<NamesOptions>();
  command = index->add_subcommand("list", "Lists indexes with their sizes");
  command->add_option("names", list->names, "Names and patterns; none = all");
  command->callback([&context, list] { List(context, list->names); });
}

}  // namespace curlew::cli
