// Curlew's own services against the contract given to their users. A change of an existing line of
// these tables breaks a client; new lines may be added.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <catch2/catch.hpp>
#include <cctype>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "test/protos/descriptor_table.h"

namespace curlew::test {
namespace {

// Reads the tables below: "service method request response" lines, and a "message" line followed by
// "[label] type name number" lines, where a label may be `oneof:NAME` and a type `map:VALUE`.
DeclarationTable ReadTable(std::string_view services, std::string_view messages) {
  DeclarationTable table;
  std::istringstream service_lines{std::string(services)};
  std::string line;
  while (std::getline(service_lines, line)) {
    std::istringstream words(line);
    std::string service, method, request, response;
    if (!(words >> service >> method >> request >> response)) continue;
    table["service " + service] = "declared";
    table[fmt::format("method {}.{}", service, method)] = request + " -> " + response;
  }
  std::istringstream message_lines{std::string(messages)};
  std::string message;
  while (std::getline(message_lines, line)) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word)) continue;
    if (word == "message") {
      words >> message;
      table["message " + message] = "declared";
      continue;
    }
    FieldDeclaration field;
    while (word == "repeated" || word == "optional" || word.starts_with("oneof:")) {
      field.repeated |= word == "repeated";
      field.has_presence_keyword |= word == "optional";
      if (word.starts_with("oneof:")) field.oneof = word.substr(6);
      words >> word;
    }
    std::string name;
    words >> name >> field.number;
    REQUIRE(words);
    if (word.starts_with("map:")) {
      // The language turns a map field into a repeated entry message with key and value.
      std::string entry = message + ".";
      bool upper = true;
      for (char c : name) {
        if (c != '_') entry += upper ? static_cast<char>(std::toupper(c)) : c;
        upper = c == '_';
      }
      entry += "Entry";
      table["message " + entry] = "map entry";
      table["field " + entry + ".key"] = Render({.number = 1, .type = "string"});
      table["field " + entry + ".value"] = Render({.number = 2, .type = word.substr(4)});
      field.repeated = true;
      field.type = entry;
    } else {
      field.type = word;
    }
    table[fmt::format("field {}.{}", message, name)] = Render(field);
  }
  return table;
}

void CheckFolder(std::string_view folder, std::string_view package,
                 const DeclarationTable& expected) {
  DeclarationTable actual;
  for (const google::protobuf::FileDescriptor* file : FilesUnder(folder)) {
    CHECK(file->package() == package);
    AddDeclarations(*file, package, &actual);
  }
  const std::vector<std::string> differences = Differences(expected, actual);
  INFO(fmt::format("{}", fmt::join(differences, "\n")));
  CHECK(differences.empty());
}

constexpr std::string_view kAdminMethods = R"(
IndexService CreateIndex         CreateIndexRequest         CreateIndexResponse
IndexService DeleteIndex         DeleteIndexRequest         AcknowledgedResponse
IndexService GetIndex            GetIndexRequest            GetIndexResponse
IndexService ListIndices         ListIndicesRequest         ListIndicesResponse
IndexService PutMapping          PutMappingRequest          AcknowledgedResponse
IndexService PutSettings         PutSettingsRequest         AcknowledgedResponse
IndexService UpdateAliases       UpdateAliasesRequest       AcknowledgedResponse
IndexService PutIndexTemplate    PutIndexTemplateRequest    AcknowledgedResponse
IndexService GetIndexTemplates   GetIndexTemplatesRequest   GetIndexTemplatesResponse
IndexService DeleteIndexTemplate DeleteIndexTemplateRequest AcknowledgedResponse
IndexService OpenIndex           IndicesRequest             AcknowledgedResponse
IndexService CloseIndex          IndicesRequest             AcknowledgedResponse
IndexService Refresh             IndicesRequest             BroadcastResponse
IndexService Flush               IndicesRequest             BroadcastResponse
IndexService ForceMerge          ForceMergeRequest          BroadcastResponse
IndexService IndexStats          IndicesRequest             IndexStatsResponse
IndexService Segments            IndicesRequest             SegmentsResponse
IndexService Analyze             AnalyzeRequest             AnalyzeResponse
NodeService  Info                InfoRequest                InfoResponse
NodeService  Stats               StatsRequest               StatsResponse
NodeService  ListSettings        ListSettingsRequest        ListSettingsResponse
NodeService  PutSettings         PutNodeSettingsRequest     AcknowledgedResponse
)";

constexpr std::string_view kAdminMessages = R"(
message AcknowledgedResponse
  bool acknowledged 1
message BroadcastResponse
  ShardCounts shards 1
message ShardCounts
  int32 total 1
  int32 successful 2
  int32 failed 3
message IndicesRequest
  repeated string index 1
  bool ignore_unavailable 2
  optional bool allow_no_indices 3
message CreateIndexRequest
  string index 1
  google.protobuf.Struct body 2
  string body_json 15
message CreateIndexResponse
  bool acknowledged 1
  bool shards_acknowledged 2
  string index 3
message DeleteIndexRequest
  repeated string index 1
  bool ignore_unavailable 2
message GetIndexRequest
  repeated string index 1
message GetIndexResponse
  map:google.protobuf.Struct indices 1
message ListIndicesRequest
  repeated string index 1
message ListIndicesResponse
  repeated IndexSummary indices 1
message IndexSummary
  string health 1
  string status 2
  string index 3
  string uuid 4
  int32 primaries 5
  int32 replicas 6
  int64 docs_count 7
  int64 docs_deleted 8
  int64 store_bytes 9
message PutMappingRequest
  repeated string index 1
  google.protobuf.Struct body 2
  string body_json 15
message PutSettingsRequest
  repeated string index 1
  google.protobuf.Struct body 2
  string body_json 15
message UpdateAliasesRequest
  google.protobuf.Struct body 1
  string body_json 15
message PutIndexTemplateRequest
  string name 1
  google.protobuf.Struct body 2
  string body_json 15
message GetIndexTemplatesRequest
  repeated string name 1
message GetIndexTemplatesResponse
  map:google.protobuf.Struct templates 1
message DeleteIndexTemplateRequest
  string name 1
message ForceMergeRequest
  repeated string index 1
  int32 max_num_segments 2
  bool only_expunge_deletes 3
message IndexStatsResponse
  map:IndexStats indices 1
message IndexStats
  int64 docs_count 1
  int64 docs_deleted 2
  int64 store_bytes 3
  int64 segments_count 4
  int64 translog_operations 5
  int64 translog_bytes 6
  int64 index_total 7
  int64 delete_total 8
  int64 get_total 9
  int64 query_total 10
  int64 query_time_millis 11
  int64 fetch_total 12
  int64 fetch_time_millis 13
  int64 refresh_total 14
  int64 flush_total 15
  int64 merge_total 16
  int64 merge_bytes 17
  int64 max_seq_no 18
  int64 local_checkpoint 19
  int64 stored_raw_bytes 20
  int64 stored_bytes 21
  int64 buffer_bytes 22
  int64 mapped_files 23
  int64 mapped_bytes 24
  int64 open_files 25
  int64 reader_heap_bytes 26
message SegmentsResponse
  repeated SegmentInfo segments 1
message SegmentInfo
  string index 1
  int32 shard 2
  string name 3
  int64 docs_count 4
  int64 docs_deleted 5
  int64 size_bytes 6
  bool committed 7
  string stored_codec 8
  int64 generation 9
message AnalyzeRequest
  string index 1
  google.protobuf.Struct body 2
  string body_json 15
message AnalyzeResponse
  repeated AnalyzeToken tokens 1
message AnalyzeToken
  string token 1
  int32 start_offset 2
  int32 end_offset 3
  string type 4
  int32 position 5
  optional int32 position_length 6
message InfoRequest
message InfoResponse
  string name 1
  string version 2
  string build 3
  string data_path 4
  repeated string listeners 5
  int64 start_time_millis 6
message StatsRequest
message StatsResponse
  int64 uptime_millis 1
  int64 rss_bytes 2
  int64 cpu_millis 3
  int64 open_connections 4
  int64 in_flight_requests 5
  int64 in_flight_bytes 6
  int64 rejected_total 7
  map:PoolStats pools 8
message PoolStats
  int32 threads 1
  int32 active 2
  int32 queue 3
  int64 completed 4
  int64 rejected 5
message ListSettingsRequest
message ListSettingsResponse
  repeated Setting settings 1
message Setting
  string key 1
  string type 2
  string value 3
  string default_value 4
  string doc 5
  bool dynamic 6
  string origin 7
message PutNodeSettingsRequest
  google.protobuf.Struct body 1
  string body_json 15
)";

constexpr std::string_view kDocumentMethods = R"(
GetService Get      GetRequest      GetResponse
GetService MultiGet MultiGetRequest MultiGetResponse
)";

constexpr std::string_view kDocumentMessages = R"(
message GetRequest
  string index 1
  string id 2
  string routing 3
  optional bool realtime 4
  bool refresh 5
  org.opensearch.protobufs.SourceConfig x_source 6
  repeated string stored_fields 7
  optional int64 version 8
message GetResponse
  string index 1
  string id 2
  bool found 3
  int64 version 4
  int64 seq_no 5
  int64 primary_term 6
  optional string routing 7
  bytes source 8
  org.opensearch.protobufs.ObjectMap fields 9
message MultiGetRequest
  string index 1
  repeated GetRequest docs 2
message MultiGetResponse
  repeated MultiGetItem docs 1
message MultiGetItem
  oneof:item GetResponse response 1
  oneof:item org.opensearch.protobufs.ErrorCause error 2
)";

TEST_CASE("The services of administration are as published") {
  CheckFolder("protos/curlew/admin/v1", "curlew.admin.v1",
              ReadTable(kAdminMethods, kAdminMessages));
}

TEST_CASE("The service of single documents is as published") {
  CheckFolder("protos/curlew/document/v1", "curlew.document.v1",
              ReadTable(kDocumentMethods, kDocumentMessages));
}

}  // namespace
}  // namespace curlew::test
