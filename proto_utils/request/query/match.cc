#include <fmt/format.h>

#include "engine/search/query/match_query.h"
#include "engine/util/error.h"
#include "proto_utils/request/field_value.h"
#include "proto_utils/request/query/converter.h"
#include "proto_utils/request/refusal.h"
#include "protos/opensearch/query/query_container.pb.h"

namespace curlew::proto_utils {

using namespace org::opensearch::protobufs;  // NOLINT: the messages of the match family

namespace {

absl::Status ReadOperator(Operator op, std::string_view path, search::Operator& out) {
  switch (op) {
    case OPERATOR_AND:
      out = search::Operator::kAnd;
      return absl::OkStatus();
    case OPERATOR_OR:
    case OPERATOR_UNSPECIFIED:
      out = search::Operator::kOr;
      return absl::OkStatus();
    default:
      return Invalid(path,
                     fmt::format("the operator must be OR or AND, got [{}]", static_cast<int>(op)));
  }
}

// Of the options for fuzzy matching those are taken that mean nothing without `fuzziness`, which is
// not served; they only have to be in range.
absl::Status CheckFuzzyOptions(const MatchQuery& proto, std::string_view path) {
  if (proto.prefix_length() < 0) {
    return Invalid(Join(path, "prefix_length"),
                   fmt::format("must be non-negative, found [{}]", proto.prefix_length()));
  }
  if (proto.has_max_expansions() && proto.max_expansions() <= 0) {
    return Invalid(Join(path, "max_expansions"),
                   fmt::format("must be positive, found [{}]", proto.max_expansions()));
  }
  return absl::OkStatus();
}

search::ZeroTerms ReadZeroTerms(ZeroTermsQuery zero_terms) {
  return zero_terms == ZERO_TERMS_QUERY_ALL ? search::ZeroTerms::kAll : search::ZeroTerms::kNone;
}

}  // namespace

absl::StatusOr<search::QueryPtr> ConvertMatch(const QueryContainer& container,
                                              const QueryPlace& place) {
  const MatchQuery& proto = container.match();
  // No analyzer here makes synonyms, so that auto_generate_synonyms_phrase_query has no effect; the
  // deprecated form of fuzzy_rewrite has none in OpenSearch either.
  CURLEW_RETURN_IF_ERROR(RefuseOthers(
      proto,
      {MatchQuery::kFieldFieldNumber, MatchQuery::kQueryFieldNumber, MatchQuery::kBoostFieldNumber,
       MatchQuery::kAnalyzerFieldNumber, MatchQuery::kAutoGenerateSynonymsPhraseQueryFieldNumber,
       MatchQuery::kFuzzyRewriteDeprecatedFieldNumber, MatchQuery::kFuzzyTranspositionsFieldNumber,
       MatchQuery::kLenientFieldNumber, MatchQuery::kMaxExpansionsFieldNumber,
       MatchQuery::kMinimumShouldMatchFieldNumber, MatchQuery::kOperatorFieldNumber,
       MatchQuery::kPrefixLengthFieldNumber, MatchQuery::kZeroTermsQueryFieldNumber},
      place.path));
  search::MatchQueryOptions options;
  options.field = proto.field();
  if (options.field.empty()) return Invalid(Join(place.path, "field"), "the field name is empty");
  CURLEW_RETURN_IF_ERROR(
      ConvertFieldValue(proto.query(), Join(place.path, "query"), options.query));
  if (std::holds_alternative<std::monostate>(options.query)) {
    return Invalid(Join(place.path, "query"), "a match query requires a value, found null");
  }
  CURLEW_RETURN_IF_ERROR(CheckFuzzyOptions(proto, place.path));
  options.analyzer = proto.analyzer();
  CURLEW_RETURN_IF_ERROR(ReadOperator(proto.operator_(), Join(place.path, "operator"), options.op));
  if (proto.has_minimum_should_match()) {
    CURLEW_RETURN_IF_ERROR(ReadMinimumShouldMatch(proto.minimum_should_match(),
                                                  Join(place.path, "minimum_should_match"),
                                                  options.minimum_should_match));
  }
  options.zero_terms = ReadZeroTerms(proto.zero_terms_query());
  options.lenient = proto.lenient();
  if (proto.has_boost()) options.boost = proto.boost();
  CURLEW_RETURN_IF_ERROR(CheckBoost(options.boost, place));
  return search::NewMatchQuery(std::move(options));
}

absl::StatusOr<search::QueryPtr> ConvertMatchPhrase(const QueryContainer& container,
                                                    const QueryPlace& place) {
  const MatchPhraseQuery& proto = container.match_phrase();
  CURLEW_RETURN_IF_ERROR(RefuseOthers(
      proto,
      {MatchPhraseQuery::kFieldFieldNumber, MatchPhraseQuery::kQueryFieldNumber,
       MatchPhraseQuery::kBoostFieldNumber, MatchPhraseQuery::kAnalyzerFieldNumber,
       MatchPhraseQuery::kSlopFieldNumber, MatchPhraseQuery::kZeroTermsQueryFieldNumber},
      place.path));
  search::MatchPhraseQueryOptions options;
  options.field = proto.field();
  if (options.field.empty()) return Invalid(Join(place.path, "field"), "the field name is empty");
  if (proto.query().empty()) {
    return Invalid(Join(place.path, "query"), "the text of a match_phrase query is empty");
  }
  if (proto.slop() < 0) {
    return Invalid(Join(place.path, "slop"),
                   fmt::format("No negative slop allowed, found [{}]", proto.slop()));
  }
  if (proto.slop() > 0) return NotServed(fmt::format("{} above 0", Join(place.path, "slop")));
  options.query = proto.query();
  options.analyzer = proto.analyzer();
  options.zero_terms = ReadZeroTerms(proto.zero_terms_query());
  if (proto.has_boost()) options.boost = proto.boost();
  CURLEW_RETURN_IF_ERROR(CheckBoost(options.boost, place));
  return search::NewMatchPhraseQuery(std::move(options));
}

}  // namespace curlew::proto_utils
