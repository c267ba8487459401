#include "engine/mapping/mapping.h"

#include <catch2/catch.hpp>

#include <thread>

#include "test/engine/mapping/support.h"

namespace curlew::mapping::test {
namespace {

TEST_CASE("fields by path, with their settings") {
  const auto m = ParseMapping(R"({"properties":{
      "title":{"type":"text","analyzer":"english","fields":{"raw":{"type":"keyword","ignore_above":9}}},
      "a.b":{"type":"long"},
      "o":{"properties":{"d":{"type":"date","format":"yyyy/MM/dd"}}},
      "plain":{"type":"text","norms":"false","index_options":"docs","position_increment_gap":-1},
      "gap":{"type":"text","position_increment_gap":"5"}}})")
                     .value();
  REQUIRE(m->Find("title") != nullptr);
  CHECK(m->Find("title")->analyzer->name() == "english");
  CHECK(m->Find("title")->search_analyzer->name() == "english");
  CHECK(m->Find("title")->norms);
  CHECK_FALSE(m->Find("title")->doc_values);
  CHECK(m->Find("title")->index_options == codec::IndexOptions::kPositions);
  CHECK(m->Find("title.raw")->ignore_above == 9u);
  CHECK(m->Find("title.raw")->doc_values);
  CHECK(m->Find("a.b")->kind == FieldKind::kLong);
  CHECK(m->Find("o.d")->format == "yyyy/MM/dd");
  CHECK_FALSE(m->Find("plain")->norms);
  CHECK(m->Find("plain")->index_options == codec::IndexOptions::kDocs);
  CHECK(m->Find("plain")->analyzer->name() == "standard");
  CHECK(m->Find("gap")->position_increment_gap == 5);
  CHECK(m->Find("a") == nullptr);
  CHECK(m->IsObject("a"));
  CHECK(m->IsObject("o"));
  CHECK_FALSE(m->IsObject("title"));
  CHECK_FALSE(m->IsObject(""));
  CHECK(m->Find("_id")->kind == FieldKind::kId);
  CHECK(m->Find("_id")->has_terms());
  CHECK(m->Find("_seq_no")->doc_values);
  std::string paths;
  for (const MappedField* f : m->fields()) paths += f->path + " ";
  CHECK(paths == "a.b gap o.d plain title title.raw ");
  CHECK(Mapping::Empty()->ToJson() == "{}");
}

TEST_CASE("wrong and unserved definitions are refused by name") {
  struct Case {
    const char* json;
    const char* names;  // what the reason has to contain
  };
  const Case cases[] = {
      {R"({"properties":{"f":{"type":"nosuch"}}})",
       "No handler for type [nosuch] declared on field [f]"},
      {R"({"properties":{"f":{"type":"geo_point"}}})",
       "type [geo_point] declared on field [f] is not supported"},
      {R"({"properties":{"f":{"type":"nested"}}})", "type [nested]"},
      {R"({"properties":{"f":{"type":"text","x":1}}})",
       "unknown parameter [x] on mapper [f] of type [text]"},
      {R"({"properties":{"f":{"type":"text","doc_values":true}}})",
       "unknown parameter [doc_values]"},
      {R"({"properties":{"f":{"type":"long","norms":true}}})", "unknown parameter [norms]"},
      {R"({"properties":{"f":{"type":"text","copy_to":"g"}}})",
       "parameter [copy_to] on mapper [f]"},
      {R"({"properties":{"f":{"type":"text","fielddata":true}}})", "[fielddata]"},
      {R"({"properties":{"f":{"type":"text","index_options":"offsets"}}})", "[offsets]"},
      {R"({"properties":{"f":{"type":"text","index_options":"all"}}})", "index_options"},
      {R"({"properties":{"f":{"type":"text","analyzer":"nosuch"}}})", "analyzer [nosuch]"},
      {R"({"properties":{"f":{"type":"text","analyzer":5}}})", "[analyzer]"},
      {R"({"properties":{"f":{"type":"text","position_increment_gap":-2}}})",
       "position_increment_gap"},
      {R"({"properties":{"f":{"type":"text","position_increment_gap":3,"index_options":"docs"}}})",
       "position_increment_gap"},
      {R"({"properties":{"f":{"type":"text","similarity":"boolean"}}})", "similarity [boolean]"},
      {R"({"properties":{"f":{"type":"keyword","ignore_above":-1}}})", "ignore_above"},
      {R"({"properties":{"f":{"type":"keyword","normalizer":"n"}}})", "[normalizer]"},
      {R"({"properties":{"f":{"type":"keyword","index":"maybe"}}})",
       "[index] of field [f] must be a boolean, got [maybe]"},
      {R"({"properties":{"f":{"type":"byte","null_value":128}}})", "null_value"},
      {R"({"properties":{"f":{"type":"long","null_value":1.5}}})", "null_value"},
      {R"({"properties":{"f":{"type":"date","format":"bogus"}}})", "Unknown pattern letter: b"},
      {R"({"properties":{"f":{"type":"text","fields":{"a.b":{"type":"keyword"}}}}})", "a.b"},
      {R"({"properties":{"f":{"type":"text","fields":{"o":{"type":"object"}}}}})", "Type [object]"},
      {R"({"properties":{"f":{}}})", "No type specified for field [f]"},
      {R"({"properties":{"f":5}})", "[f]"},
      {R"({"properties":{"":{"type":"long"}}})", "empty"},
      {R"({"properties":{"a..b":{"type":"long"}}})", "property [.b] of [a]"},
      {R"({"properties":{"a.":{"type":"long"}}})", "a."},
      {R"({"properties":{"_id":{"type":"keyword"}}})", "[_id]"},
      {R"({"properties":{"o":{"properties":{},"x":1}}})", "unsupported parameters:  [x : 1]"},
      {R"({"properties":{"o":{"type":"object","enabled":3}}})", "[enabled] of [o]"},
      {R"({"dynamic":"maybe"})", "[dynamic]"},
      {R"({"dynamic_templates":[{"a":{}}]})", "[dynamic_templates]"},
      {R"({"_source":{"enabled":false}})", "[_source]"},
      {R"({"_routing":{"required":true}})", "[_routing]"},
      {R"({"nosuch":1})", "unsupported parameters:  [nosuch : 1]"},
      {R"({"properties":{"f":{"type":"long"},"f":{"type":"long"}}})", "Duplicate field 'f'"},
      {R"([])", "object"},
      {R"({"properties":)", "JSON"},
  };
  for (const Case& c : cases) {
    INFO(c.json);
    const auto m = ParseMapping(c.json);
    REQUIRE_FALSE(m.ok());
    const ErrorDetails e = DescribeError(m.status());
    CHECK(e.type == "mapper_parsing_exception");
    CHECK(e.rest_status == 400);
    CHECK_THAT(e.reason, Catch::Contains(c.names));
  }
  for (const char* fine :
       {R"({"_source":{"enabled":true},"_routing":{"required":false},"dynamic_templates":[]})",
        R"({"properties":{"f":{"type":"text","copy_to":[],"fielddata":false,"term_vector":"no"}}})",
        R"({"properties":{"f":{"type":"keyword","split_queries_on_whitespace":"false"}}})",
        R"({"properties":[]})"}) {
    INFO(fine);
    CHECK(ParseMapping(fine).ok());
  }
}

absl::StatusOr<std::string> Merged(const char* base, const char* update) {
  CURLEW_ASSIGN_OR_RETURN(const auto mapping, ParseMapping(base));
  CURLEW_ASSIGN_OR_RETURN(const auto merged, mapping->Merge(update, Analyzers(), {}));
  return merged->ToJson();
}

TEST_CASE("updates to a mapping") {
  struct Case {
    const char* base;
    const char* update;
    const char* expected;  // JSON, or the error's reason
  };
  const Case cases[] = {
      {R"({"properties":{"a":{"type":"long"}}})", R"({"properties":{"b":{"type":"date"}}})",
       R"({"properties":{"a":{"type":"long"},"b":{"type":"date"}}})"},
      {R"({"properties":{"a":{"type":"keyword","ignore_above":9}}})",
       R"({"properties":{"a":{"type":"keyword"}}})", R"({"properties":{"a":{"type":"keyword"}}})"},
      {R"({"properties":{"o":{"properties":{"x":{"type":"long"}}}}})",
       R"({"properties":{"o.y":{"type":"long"},"o":{"type":"object","dynamic":"strict"}}})",
       R"({"properties":{"o":{"dynamic":"strict","properties":{"x":{"type":"long"},"y":{"type":"long"}}}}})"},
      {R"({"properties":{"t":{"type":"text","fields":{"a":{"type":"keyword"}}}}})",
       R"({"properties":{"t":{"type":"text","fields":{"b":{"type":"long"}}}}})",
       R"({"properties":{"t":{"type":"text","fields":{"a":{"type":"keyword"},"b":{"type":"long"}}}}})"},
      {R"({"properties":{"t":{"type":"text"}}})",
       R"({"properties":{"t":{"type":"text","norms":false}}})",
       R"({"properties":{"t":{"type":"text","norms":false}}})"},
      {R"({"_meta":{"a":1}})", R"({"dynamic":false,"date_detection":false})",
       R"({"_meta":{"a":1},"date_detection":false,"dynamic":"false"})"},
      {R"({"properties":{"o":{"type":"object","enabled":false}}})",
       R"({"properties":{"o":{"type":"object"}}})",
       R"({"properties":{"o":{"type":"object","enabled":false}}})"},
      {R"({"properties":{"a":{"type":"long"}}})", R"({"properties":{"a":{"type":"keyword"}}})",
       "mapper [a] cannot be changed from type [long] to [keyword]"},
      {R"({"properties":{"t":{"type":"text","norms":false}}})",
       R"({"properties":{"t":{"type":"text"}}})",
       "Cannot update parameter [norms] from [false] to [true]"},
      {R"({"properties":{"t":{"type":"text"}}})",
       R"({"properties":{"t":{"type":"text","analyzer":"english"}}})",
       "Cannot update parameter [analyzer] from [\"default\"] to [\"english\"]"},
      {R"({"properties":{"a":{"type":"long"}}})", R"({"properties":{"a":{"properties":{}}}})",
       "can't merge an object mapping [a] with a non object mapping"},
      {R"({"properties":{"a":{"properties":{}}}})", R"({"properties":{"a":{"type":"long"}}})",
       "can't merge a non object mapping [a] with an object mapping"},
      {R"({"properties":{"o":{"type":"object"}}})",
       R"({"properties":{"o":{"type":"object","enabled":false}}})", "[enabled]"},
      {R"({"properties":{"t":{"type":"text","fields":{"a":{"type":"keyword"}}}}})",
       R"({"properties":{"t":{"type":"text","fields":{"a":{"type":"long"}}}}})",
       "mapper [t.a] cannot be changed from type [keyword] to [long]"},
  };
  for (const Case& c : cases) {
    INFO(c.base << " + " << c.update);
    const auto merged = Merged(c.base, c.update);
    if (c.expected[0] == '{') {
      REQUIRE(merged.ok());
      CHECK(*merged == c.expected);
    } else {
      REQUIRE_FALSE(merged.ok());
      CHECK(TypeOf(merged.status()) == "illegal_argument_exception");
      CHECK_THAT(DescribeError(merged.status()).reason, Catch::Contains(c.expected));
    }
  }
}

TEST_CASE("fields that stay keep their address") {
  const auto before =
      ParseMapping(
          R"({"properties":{"a":{"type":"text"},"o":{"properties":{"b":{"type":"long"}}}}})")
          .value();
  const auto after =
      before
          ->Merge(
              R"({"properties":{"a":{"type":"text"},"o":{"properties":{"c":{"type":"long"}}}}})",
              Analyzers(), {})
          .value();
  CHECK(before->Find("a") == after->Find("a"));
  CHECK(before->Find("o.b") == after->Find("o.b"));
  CHECK(before->Find("o.c") == nullptr);
}

TEST_CASE("limits on a mapping") {
  MappingLimits limits;
  limits.total_fields = 4;
  limits.depth = 2;
  limits.field_name_length = 3;
  const auto reason = [&](const char* json) {
    const auto m = ParseMapping(json, limits);
    return m.ok() ? std::string() : DescribeError(m.status()).reason;
  };
  // An object, a field, a field with a multi-field: four.
  CHECK(reason(R"({"properties":{"o":{"properties":{"a":{"type":"long"}}},
                   "t":{"type":"text","fields":{"k":{"type":"keyword"}}}}})") == "");
  CHECK(reason(R"({"properties":{"o":{"properties":{"a":{"type":"long"}}},"b":{"type":"long"},
                   "t":{"type":"text","fields":{"k":{"type":"keyword"}}}}})") ==
        "Limit of total fields [4] has been exceeded");
  CHECK(reason(R"({"properties":{"a.b.c":{"type":"long"}}})") ==
        "Limit of mapping depth [2] has been exceeded due to object field [a.b]");
  CHECK(reason(R"({"properties":{"abcd":{"type":"long"}}})") ==
        "Field name [abcd] is longer than the limit of [3] characters");
  CHECK(reason(R"({"properties":{"äöü":{"type":"long"}}})") == "");
}

TEST_CASE("the mapper service persists before it publishes") {
  std::vector<std::string> persisted;
  bool broken = false;
  MapperService service(Mapping::Empty(), {}, Analyzers(), [&](const std::string& json) {
    if (broken) return IoError("disk", 5);
    persisted.push_back(json);
    return absl::OkStatus();
  });
  const char* update = R"({"properties":{"a":{"type":"long"}}})";
  CHECK(service.Update(update).ok());
  CHECK(service.Update(update).ok());
  CHECK(persisted == std::vector<std::string>{update});
  CHECK(service.Update(R"({"properties":{"a":{"type":"text"}}})").code() ==
        absl::StatusCode::kInvalidArgument);
  broken = true;
  CHECK_FALSE(service.Update(R"({"properties":{"b":{"type":"long"}}})").ok());
  CHECK(service.current()->ToJson() == update);
}

TEST_CASE("concurrent updates all arrive") {
  MapperService service(Mapping::Empty(), {}, Analyzers(), nullptr);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&service, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string name =
            "f" + std::to_string(i) + (i % 2 == 0 ? "" : "_" + std::to_string(t));
        const std::string json = "{\"properties\":{\"" + name + "\":{\"type\":\"long\"}}}";
        if (!service.Update(json).ok() || service.current()->Find(name) == nullptr) std::abort();
      }
    });
  }
  for (std::thread& t : threads) t.join();
  CHECK(service.current()->fields().size() == 25 + 4 * 25);
}

}  // namespace
}  // namespace curlew::mapping::test
