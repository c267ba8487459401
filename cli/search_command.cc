#include <fmt/format.h>
#include <google/protobuf/util/json_util.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <optional>

#include "cli/command.h"
#include "cli/connection.h"
#include "cli/search_output.h"
#include "protos/opensearch/services/search_service.grpc.pb.h"

namespace curlew::cli {
namespace {

namespace os = org::opensearch::protobufs;

struct Options {
  std::vector<std::string> indices;
  std::string query_string;
  std::vector<std::string> match, phrase, term;
  std::string body;
  std::vector<std::string> sort, source;
  std::optional<int> from, size;  // what the command line says, which wins over the body
  bool json = false;
};

// "title=love war" -> {"title", "love war"}.
std::pair<std::string, std::string> Split(const std::string& text, const std::string& option) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw CommandError(kUsage, fmt::format("{} takes FIELD=TEXT, not [{}]", option, text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void AddQueries(const Options& options, os::SearchRequestBody& body) {
  if (options.match.empty() && options.phrase.empty() && options.term.empty()) return;
  // All of them have to match; a single one goes out as it is.
  os::QueryContainer all;
  for (const std::string& text : options.match) {
    auto& match = *all.mutable_bool_()->add_must()->mutable_match();
    auto [field, value] = Split(text, "--match");
    match.set_field(field);
    match.mutable_query()->set_string(value);
  }
  for (const std::string& text : options.phrase) {
    auto& phrase = *all.mutable_bool_()->add_must()->mutable_match_phrase();
    auto [field, value] = Split(text, "--phrase");
    phrase.set_field(field);
    phrase.set_query(value);
  }
  for (const std::string& text : options.term) {
    auto& term = *all.mutable_bool_()->add_filter()->mutable_term();
    auto [field, value] = Split(text, "--term");
    term.set_field(field);
    term.mutable_value()->set_string(value);
  }
  if (all.bool_().must_size() == 1 && all.bool_().filter_size() == 0) {
    *body.mutable_query() = all.bool_().must(0);
  } else {
    body.mutable_query()->Swap(&all);
  }
}

void AddSort(const std::string& text, os::SearchRequestBody& body) {
  const size_t colon = text.rfind(':');
  const std::string order = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (order != "asc" && order != "desc") {
    body.add_sort()->set_field(text);
    return;
  }
  const std::string field = text.substr(0, colon);
  const os::SortOrder direction = order == "asc" ? os::SORT_ORDER_ASC : os::SORT_ORDER_DESC;
  if (field == "_score") {
    body.add_sort()->mutable_options()->mutable_x_score()->set_order(direction);
  } else {
    (*body.add_sort()->mutable_field_with_order()->mutable_field_sort_map())[field].set_order(
        direction);
  }
}

os::SearchRequest ToRequest(const Options& options) {
  os::SearchRequest request;
  request.mutable_index()->Assign(options.indices.begin(), options.indices.end());
  os::SearchRequestBody& body = *request.mutable_search_request_body();
  if (!options.body.empty()) {
    const auto status = google::protobuf::util::JsonStringToMessage(options.body, &body);
    if (!status.ok()) {
      throw CommandError(
          kUsage, fmt::format("--body is no SearchRequestBody: {}",
                              std::string(status.message().data(), status.message().size())));
    }
  }
  if (!options.query_string.empty()) request.set_q(options.query_string);
  AddQueries(options, body);
  for (const std::string& sort : options.sort) AddSort(sort, body);
  if (!options.source.empty()) {
    body.mutable_x_source()->mutable_filter()->mutable_includes()->Assign(options.source.begin(),
                                                                          options.source.end());
  }
  if (options.from.has_value()) body.set_from(*options.from);
  if (options.size.has_value()) body.set_size(*options.size);
  return request;
}

void RunSearch(const Context& context, const Options& options) {
  const os::SearchRequest request = ToRequest(options);
  os::SearchResponse response;
  const auto stub = os::services::SearchService::NewStub(Connect(context));
  Require(stub->Search(NewCall(context).get(), request, &response), context);
  if (!options.json) {
    std::cout << FormatSearchResponse(response, request.search_request_body().from());
    return;
  }
  google::protobuf::util::JsonPrintOptions print;
  print.add_whitespace = true;
  print.preserve_proto_field_names = true;
  std::string json;
  const auto status = google::protobuf::util::MessageToJsonString(response, &json, print);
  if (!status.ok()) throw CommandError(kFailed, status.ToString());
  std::cout << json;
}

}  // namespace

void AddSearchCommand(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("search", "Searches indexes and shows the hits");
  command->add_option("indices", options->indices, "Indexes and patterns; none = all");
  command->add_option(
      "--query-string,-q", options->query_string,
      "Lucene's query syntax; a server of this release refuses it, so use --match, --phrase, "
      "--term or --body");
  command->add_option("--match,-m", options->match, "FIELD=TEXT: any of the words; repeatable")
      ->allow_extra_args(false);
  command->add_option("--phrase,-p", options->phrase, "FIELD=TEXT: the words in this order")
      ->allow_extra_args(false);
  command->add_option("--term,-t", options->term, "FIELD=VALUE: exactly this, as a filter")
      ->allow_extra_args(false);
  command->add_option("--body", options->body, "A SearchRequestBody as JSON, for all the rest");
  command->add_option("--sort,-s", options->sort, "FIELD, FIELD:asc or FIELD:desc; repeatable")
      ->allow_extra_args(false);
  command->add_option("--source", options->source, "Members of the source to show; repeatable")
      ->allow_extra_args(false);
  command->add_option("--from", options->from, "Skip so many hits [0]");
  command->add_option("--size,-n", options->size, "Show so many hits [10]");
  command->add_flag("--json", options->json, "The whole answer as JSON (x_source in base64)");
  command->callback([&context, options] { RunSearch(context, *options); });
}

}  // namespace curlew::cli
