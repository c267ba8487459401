// docs/api.md against the converters: every field of every message that a request may hold is
// listed there as served or refused, and is.
#include <catch2/catch.hpp>

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <google/protobuf/text_format.h>

#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "engine/util/error.h"
#include "proto_utils/request/bulk_request.h"
#include "proto_utils/request/search_request.h"
#include "protos/opensearch/bulk_request.pb.h"
#include "protos/opensearch/search_request.pb.h"
#include "test/proto_utils/request_text.h"

namespace curlew {
namespace {

using namespace org::opensearch::protobufs;  // NOLINT: all request messages
using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

struct Row {
  std::set<std::string> served;
  std::set<std::string> refused;
};

// The names in backticks.
std::set<std::string> NamesIn(const std::string& cell) {
  std::set<std::string> names;
  size_t at = 0;
  while ((at = cell.find('`', at)) != std::string::npos) {
    const size_t end = cell.find('`', at + 1);
    REQUIRE(end != std::string::npos);
    names.insert(cell.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return names;
}

const Descriptor* FindMessage(const std::string& name) {
  // Makes sure that the files are registered before the pool is asked.
  SearchRequest::descriptor();
  BulkRequest::descriptor();
  return google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(
      "org.opensearch.protobufs." + name);
}

// Message name -> its row of the page.
std::map<std::string, Row> ReadTables() {
  std::ifstream page(CURLEW_SOURCE_DIR "/docs/api.md");
  REQUIRE(page.good());
  std::map<std::string, Row> rows;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `")) continue;
    std::vector<std::string> cells;
    std::istringstream stream(line.substr(1));
    for (std::string cell; std::getline(stream, cell, '|');) cells.push_back(cell);
    const std::set<std::string> name = NamesIn(cells[0]);
    if (cells.size() != 3 || name.size() != 1 || FindMessage(*name.begin()) == nullptr) continue;
    CAPTURE(*name.begin());
    const bool first_row =
        rows.emplace(*name.begin(), Row{NamesIn(cells[1]), NamesIn(cells[2])}).second;
    REQUIRE(first_row);
  }
  return rows;
}

// A request with room for a message of some type, which is then given one field.
struct Trial {
  SearchRequest search;
  BulkRequest bulk;

  QueryContainer& query() { return *search.mutable_search_request_body()->mutable_query(); }
  SortCombinations& sort() { return *search.mutable_search_request_body()->add_sort(); }
  BulkRequestBody& item() { return *bulk.add_bulk_request_body(); }

  // Both are converted: the one that was left empty has nothing to refuse but being empty.
  absl::Status Convert(bool is_bulk) const {
    if (is_bulk) {
      proto_utils::ConvertedBulk out;
      return proto_utils::ConvertBulkRequest(bulk, out);
    }
    proto_utils::ConvertedSearch out;
    return proto_utils::ConvertSearchRequest(search, out);
  }
};

using Place = std::function<Message*(Trial&)>;

template <typename Proto>
Proto* Merge(Proto* proto, const char* text) {
  REQUIRE(google::protobuf::TextFormat::MergeFromString(text, proto));
  return proto;
}

const char kItem[] = "operation_container { index { x_id: 'a' } } object: '{}'";
const char kUpdate[] = "operation_container { update { x_id: 'a' } } update_action { doc: '{}' }";

// Where a message stands in a search.
const std::map<std::string, Place>& SearchPlaces() {
  static const std::map<std::string, Place> places = {
      {"SearchRequest", [](Trial& t) { return &t.search; }},
      {"SearchRequestBody", [](Trial& t) { return t.search.mutable_search_request_body(); }},
      {"SourceConfigParam", [](Trial& t) { return t.search.mutable_x_source(); }},
      {"StringArray", [](Trial& t) { return t.search.mutable_x_source()->mutable_fields(); }},
      {"SourceConfig",
       [](Trial& t) { return t.search.mutable_search_request_body()->mutable_x_source(); }},
      {"SourceFilter",
       [](Trial& t) {
         return t.search.mutable_search_request_body()->mutable_x_source()->mutable_filter();
       }},
      {"TrackHits",
       [](Trial& t) { return t.search.mutable_search_request_body()->mutable_track_total_hits(); }},
      {"SortCombinations", [](Trial& t) { return &t.sort(); }},
      {"SortOrderMap", [](Trial& t) { return t.sort().mutable_field_with_direction(); }},
      {"FieldSortMap", [](Trial& t) { return t.sort().mutable_field_with_order(); }},
      {"FieldSort",
       [](Trial& t) {
         return &(*t.sort().mutable_field_with_order()->mutable_field_sort_map())["f"];
       }},
      {"SortOptions", [](Trial& t) { return t.sort().mutable_options(); }},
      {"ScoreSort", [](Trial& t) { return t.sort().mutable_options()->mutable_x_score(); }},
      {"FieldValue",
       [](Trial& t) { return t.search.mutable_search_request_body()->add_search_after(); }},
      {"GeneralNumber",
       [](Trial& t) {
         return t.search.mutable_search_request_body()
             ->add_search_after()
             ->mutable_general_number();
       }},
      {"QueryContainer", [](Trial& t) { return &t.query(); }},
      {"BoolQuery", [](Trial& t) { return t.query().mutable_bool_(); }},
      {"MinimumShouldMatch",
       [](Trial& t) { return t.query().mutable_bool_()->mutable_minimum_should_match(); }},
      {"ConstantScoreQuery",
       [](Trial& t) {
         return Merge(t.query().mutable_constant_score(), "filter { match_all {} }");
       }},
      {"ExistsQuery", [](Trial& t) { return Merge(t.query().mutable_exists(), "field: 'f'"); }},
      {"IdsQuery", [](Trial& t) { return t.query().mutable_ids(); }},
      {"RangeQuery", [](Trial& t) { return t.query().mutable_range(); }},
      {"NumberRangeQuery",
       [](Trial& t) {
         return Merge(t.query().mutable_range()->mutable_number_range_query(), "field: 'f'");
       }},
      {"NumberRangeQueryAllOfFrom",
       [](Trial& t) {
         return Merge(t.query().mutable_range()->mutable_number_range_query(), "field: 'f'")
             ->mutable_from();
       }},
      {"NumberRangeQueryAllOfTo",
       [](Trial& t) {
         return Merge(t.query().mutable_range()->mutable_number_range_query(), "field: 'f'")
             ->mutable_to();
       }},
      {"DateRangeQuery",
       [](Trial& t) {
         return Merge(t.query().mutable_range()->mutable_date_range_query(), "field: 'f'");
       }},
      {"DateRangeQueryAllOfFrom",
       [](Trial& t) {
         return Merge(t.query().mutable_range()->mutable_date_range_query(), "field: 'f'")
             ->mutable_from();
       }},
      {"DateRangeQueryAllOfTo",
       [](Trial& t) {
         return Merge(t.query().mutable_range()->mutable_date_range_query(), "field: 'f'")
             ->mutable_to();
       }},
      {"TermQuery",
       [](Trial& t) {
         return Merge(t.query().mutable_term(), "field: 'f' value { string: 'x' }");
       }},
      {"TermsQuery",
       [](Trial& t) {
         return Merge(t.query().mutable_terms(), "terms { key: 'f' value { value { } } }");
       }},
      {"TermsQueryField",
       [](Trial& t) { return &(*t.query().mutable_terms()->mutable_terms())["f"]; }},
      {"FieldValueArray",
       [](Trial& t) { return (*t.query().mutable_terms()->mutable_terms())["f"].mutable_value(); }},
      {"MatchQuery",
       [](Trial& t) {
         return Merge(t.query().mutable_match(), "field: 'f' query { string: 'x' }");
       }},
      {"MatchPhraseQuery",
       [](Trial& t) { return Merge(t.query().mutable_match_phrase(), "field: 'f' query: 'x'"); }},
      {"MatchAllQuery", [](Trial& t) { return t.query().mutable_match_all(); }},
      {"MatchNoneQuery", [](Trial& t) { return t.query().mutable_match_none(); }},
  };
  return places;
}

// Where a message stands in a bulk request.
const std::map<std::string, Place>& BulkPlaces() {
  static const std::map<std::string, Place> places = {
      {"BulkRequest",
       [](Trial& t) {
         Merge(&t.item(), kItem);
         return &t.bulk;
       }},
      {"WaitForActiveShards",
       [](Trial& t) {
         Merge(&t.item(), kItem);
         return t.bulk.mutable_wait_for_active_shards();
       }},
      {"BulkRequestBody", [](Trial& t) { return Merge(&t.item(), kItem); }},
      {"OperationContainer",
       [](Trial& t) { return Merge(&t.item(), kItem)->mutable_operation_container(); }},
      {"IndexOperation",
       [](Trial& t) {
         return Merge(&t.item(), kItem)->mutable_operation_container()->mutable_index();
       }},
      {"WriteOperation",
       [](Trial& t) { return t.item().mutable_operation_container()->mutable_create(); }},
      {"UpdateOperation",
       [](Trial& t) {
         return Merge(&t.item(), kUpdate)->mutable_operation_container()->mutable_update();
       }},
      {"DeleteOperation",
       [](Trial& t) {
         return Merge(t.item().mutable_operation_container()->mutable_delete_(), "x_id: 'a'");
       }},
      {"UpdateAction", [](Trial& t) { return Merge(&t.item(), kUpdate)->mutable_update_action(); }},
  };
  return places;
}

// How a field is set where any value will not do: served in part, or needing others beside it.
const char* SpecialValue(const std::string& field) {
  static const std::map<std::string, const char*> values = {
      {"SearchRequest.batched_reduce_size", "batched_reduce_size: 2"},
      {"SearchRequest.search_type", "search_type: SEARCH_TYPE_QUERY_THEN_FETCH"},
      {"SearchRequestBody.timeout", "timeout: '-1'"},
      {"SearchRequestBody.explain", "explain: false"},
      {"SearchRequestBody.profile", "profile: false"},
      {"SearchRequestBody.verbose_pipeline", "verbose_pipeline: false"},
      {"SearchRequestBody.terminate_after", "terminate_after: 0"},
      {"SearchRequestBody.query", "query { match_all {} }"},
      {"SearchRequestBody.post_filter", "post_filter { match_all {} }"},
      {"SearchRequestBody.search_after", "search_after { string: 'x' }"},
      {"SortCombinations.field_with_direction",
       "field_with_direction { sort_order_map { key: 'f' value: SORT_ORDER_ASC } }"},
      {"SortCombinations.field_with_order",
       "field_with_order { field_sort_map { key: 'f' value { } } }"},
      {"SortCombinations.options", "options { x_score { } }"},
      {"SortOrderMap.sort_order_map", "sort_order_map { key: 'f' value: SORT_ORDER_ASC }"},
      {"FieldSortMap.field_sort_map", "field_sort_map { key: 'f' value { } }"},
      {"FieldSort.missing", "missing { string: 'x' }"},
      {"FieldValue.general_number", "general_number { int32_value: 1 }"},
      {"QueryContainer.constant_score", "constant_score { filter { match_all {} } }"},
      {"QueryContainer.exists", "exists { field: 'f' }"},
      {"QueryContainer.range", "range { number_range_query { field: 'f' } }"},
      {"QueryContainer.term", "term { field: 'f' value { string: 'x' } }"},
      {"QueryContainer.terms", "terms { terms { key: 'f' value { value { } } } }"},
      {"QueryContainer.match", "match { field: 'f' query { string: 'x' } }"},
      {"QueryContainer.match_phrase", "match_phrase { field: 'f' query: 'x' }"},
      {"BoolQuery.filter", "filter { match_all {} }"},
      {"BoolQuery.must", "must { match_all {} }"},
      {"BoolQuery.must_not", "must_not { match_all {} }"},
      {"BoolQuery.should", "should { match_all {} }"},
      {"ConstantScoreQuery.filter", "filter { match_none {} }"},
      {"RangeQuery.number_range_query", "number_range_query { field: 'f' }"},
      {"RangeQuery.date_range_query", "date_range_query { field: 'f' }"},
      {"TermQuery.value", "value { string: 'y' }"},
      {"TermsQuery.value_type", "value_type: TERMS_QUERY_VALUE_TYPE_DEFAULT"},
      {"TermsQuery.terms", "terms { key: 'f' value { value { } } }"},
      {"FieldValueArray.field_value_array", "field_value_array { string: 'x' }"},
      {"MatchQuery.query", "query { string: 'y' }"},
      {"MatchPhraseQuery.slop", "slop: 0"},
      {"BulkRequest.timeout", "timeout: '1m'"},
      {"BulkRequest.bulk_request_body",
       "bulk_request_body { operation_container { delete { x_id: 'b' } } }"},
      {"WaitForActiveShards.option", "option: WAIT_FOR_ACTIVE_SHARD_OPTIONS_NULL"},
      {"BulkRequestBody.operation_container", "operation_container { delete { x_id: 'b' } }"},
      {"OperationContainer.update", "update { x_id: 'a' }"},
      {"OperationContainer.delete", "delete { x_id: 'a' }"},
      {"IndexOperation.version", "version: 3 version_type: VERSION_TYPE_EXTERNAL"},
      {"IndexOperation.version_type", "version: 0 version_type: VERSION_TYPE_EXTERNAL_GTE"},
      {"IndexOperation.if_seq_no", "if_seq_no: 1 if_primary_term: 1"},
      {"IndexOperation.if_primary_term", "if_seq_no: 0 if_primary_term: 2"},
      {"UpdateOperation.if_seq_no", "if_seq_no: 1 if_primary_term: 1"},
      {"UpdateOperation.if_primary_term", "if_seq_no: 0 if_primary_term: 2"},
      {"DeleteOperation.if_seq_no", "if_seq_no: 1 if_primary_term: 1"},
      {"DeleteOperation.if_primary_term", "if_seq_no: 0 if_primary_term: 2"},
      {"DeleteOperation.version", "version: 3 version_type: VERSION_TYPE_EXTERNAL"},
      {"DeleteOperation.version_type", "version: 0 version_type: VERSION_TYPE_EXTERNAL_GTE"},
      {"UpdateAction.scripted_upsert", "scripted_upsert: false"},
  };
  const auto found = values.find(field);
  return found == values.end() ? nullptr : found->second;
}

void SetScalar(Message& message, const FieldDescriptor& field) {
  const auto& r = *message.GetReflection();
  const bool many = field.is_repeated();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return many ? r.AddBool(&message, &field, true) : r.SetBool(&message, &field, true);
    case FieldDescriptor::CPPTYPE_INT32:
      return many ? r.AddInt32(&message, &field, 1) : r.SetInt32(&message, &field, 1);
    case FieldDescriptor::CPPTYPE_INT64:
      return many ? r.AddInt64(&message, &field, 1) : r.SetInt64(&message, &field, 1);
    case FieldDescriptor::CPPTYPE_UINT64:
      return many ? r.AddUInt64(&message, &field, 1) : r.SetUInt64(&message, &field, 1);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return many ? r.AddFloat(&message, &field, 1) : r.SetFloat(&message, &field, 1);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return many ? r.AddDouble(&message, &field, 1) : r.SetDouble(&message, &field, 1);
    case FieldDescriptor::CPPTYPE_STRING:
      return many ? r.AddString(&message, &field, "a") : r.SetString(&message, &field, "a");
    case FieldDescriptor::CPPTYPE_ENUM: {
      const int value = field.enum_type()->value(1)->number();
      return many ? r.AddEnumValue(&message, &field, value)
                  : r.SetEnumValue(&message, &field, value);
    }
    default:
      FAIL("a field of unexpected type: " << field.full_name());
  }
}

// Sets the field, to nothing but being there if it is a message.
void SetField(Message& message, const FieldDescriptor& field) {
  if (const char* text = SpecialValue(message.GetDescriptor()->name() + "." + field.name())) {
    REQUIRE(google::protobuf::TextFormat::MergeFromString(text, &message));
  } else if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
    SetScalar(message, field);
  } else if (field.is_repeated()) {
    message.GetReflection()->AddMessage(&message, &field);
  } else {
    message.GetReflection()->MutableMessage(&message, &field);
  }
}

// The message type in a field, also as a map's value; null for scalars.
const Descriptor* MessageIn(const FieldDescriptor& field) {
  const Descriptor* type = field.message_type();
  return field.is_map() ? type->map_value()->message_type() : type;
}

absl::Status Try(const std::string& message_name, const FieldDescriptor& field) {
  Trial trial;
  trial.bulk.set_index("i");
  const bool is_bulk = BulkPlaces().count(message_name) > 0;
  const auto& places = is_bulk ? BulkPlaces() : SearchPlaces();
  SetField(*places.at(message_name)(trial), field);
  return trial.Convert(is_bulk);
}

TEST_CASE("every field is served or refused as docs/api.md says") {
  const auto rows = ReadTables();
  REQUIRE(rows.size() == SearchPlaces().size() + BulkPlaces().size());
  for (const auto& [name, row] : rows) {
    const Descriptor* type = FindMessage(name);
    for (int i = 0; i < type->field_count(); ++i) {
      const FieldDescriptor& field = *type->field(i);
      CAPTURE(field.full_name());
      const bool served = row.served.count(field.name()) > 0;
      CHECK(served + row.refused.count(field.name()) == 1);
      const absl::Status status = Try(name, field);
      CAPTURE(DescribeError(status).reason);
      if (served) {
        CHECK(status.ok());
      } else {
        CHECK(status.code() == absl::StatusCode::kUnimplemented);
        CHECK(DescribeError(status).reason.find(field.name()) != std::string::npos);
      }
      // What is inside a served field has a row of its own.
      if (served && MessageIn(field) != nullptr) CHECK(rows.count(MessageIn(field)->name()) == 1);
    }
    for (const std::string& field : row.served) CHECK(type->FindFieldByName(field) != nullptr);
    for (const std::string& field : row.refused) CHECK(type->FindFieldByName(field) != nullptr);
  }
}

TEST_CASE("fields newer than the schema are refused in every message") {
  for (const auto* places : {&SearchPlaces(), &BulkPlaces()}) {
    for (const auto& [name, place] : *places) {
      // A term's value is read in lists of any length, where only new arms would matter.
      if (name == "GeneralNumber") continue;
      CAPTURE(name);
      Trial trial;
      trial.bulk.set_index("i");
      Message* message = place(trial);
      message->GetReflection()->MutableUnknownFields(message)->AddVarint(9000, 1);
      const absl::Status status = trial.Convert(places == &BulkPlaces());
      CAPTURE(DescribeError(status).reason);
      CHECK(status.code() == absl::StatusCode::kUnimplemented);
      CHECK(DescribeError(status).reason.find("9000") != std::string::npos);
    }
  }
}

}  // namespace
}  // namespace curlew
