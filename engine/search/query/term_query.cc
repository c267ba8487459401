#include "engine/search/query/term_query.h"

#include "engine/search/query/exact.h"
#include "engine/search/query/prepared.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

char FoldAscii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool EqualFolded(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (FoldAscii(a[i]) != FoldAscii(b[i])) return false;
  }
  return true;
}

// Every term that differs from `term` in ASCII case only.
PreparedPtr PrepareFolded(const ShardContext& context, const mapping::MappedField& field,
                          std::string term, float boost) {
  if (field.has_terms()) {
    return PrepareTermUnion(
        context, field.path,
        [term = std::move(term)](const codec::FieldTerms& terms, PeriodicCheck& check,
                                 const auto& take) {
          const auto it = terms.Iterate();
          while (!check.Stop() && it->Next()) {
            if (EqualFolded(it->term(), term)) take(it->entry());
          }
          return !it->corrupt();
        },
        boost);
  }
  return PrepareOrdinalRanges(
      context, field.path,
      [term = std::move(term)](const codec::OrdinalColumn& column, PeriodicCheck& check) {
        std::vector<OrdinalRange> ranges;
        for (uint32_t ordinal = 0; ordinal < column.value_count() && !check.Stop(); ++ordinal) {
          if (EqualFolded(column.Value(ordinal), term)) ranges.push_back({ordinal, ordinal + 1});
        }
        return ranges;
      },
      boost);
}

class TermQuery : public Query {
 public:
  explicit TermQuery(TermQueryOptions options) : options_(std::move(options)) {}

  absl::StatusOr<PreparedPtr> Prepare(const ShardContext& context, ScoreMode mode) const override {
    const mapping::MappedField* field = context.mapping->Find(options_.field);
    if (field == nullptr) return PrepareNone();
    const bool textual =
        field->kind == mapping::FieldKind::kText || field->kind == mapping::FieldKind::kKeyword;
    if (options_.case_insensitive && textual) {
      CURLEW_RETURN_IF_ERROR(CheckSearchable(*field));
      return PrepareFolded(context, *field, mapping::QueryValueToString(options_.value),
                           options_.boost);
    }
    return PrepareExact(context, mode, *field, options_.value, options_.boost);
  }

 private:
  const TermQueryOptions options_;
};

}  // namespace

QueryPtr NewTermQuery(TermQueryOptions options) {
  return std::make_shared<TermQuery>(std::move(options));
}

}  // namespace curlew::search
