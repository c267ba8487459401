#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/search/query/exact.h"
#include "engine/search/query/match_query.h"
#include "engine/search/query/query_text.h"
#include "engine/search/score/phrase_scorer.h"
#include "engine/search/similarity.h"
#include "engine/util/error.h"
#include "engine/util/text_hash.h"

namespace curlew::search {
namespace {

// A distinct term with its distances from the phrase's first position.
struct PlacedTerm {
  std::string term;
  std::vector<uint32_t> offsets;
};

// `positions` has one term each. Sorted by term.
std::vector<PlacedTerm> DistinctTerms(const std::vector<QueryPosition>& positions) {
  std::vector<std::pair<std::string_view, uint32_t>> placed;
  for (const QueryPosition& position : positions) {
    placed.emplace_back(position.terms[0], position.position - positions[0].position);
  }
  std::sort(placed.begin(), placed.end());
  std::vector<PlacedTerm> terms;
  for (const auto& [term, offset] : placed) {
    if (terms.empty() || terms.back().term != term) terms.push_back({std::string(term), {}});
    terms.back().offsets.push_back(offset);
  }
  return terms;
}

class Phrase : public PreparedQuery {
 public:
  Phrase(const ShardContext& context, ScoreMode mode, const mapping::MappedField& field,
         const std::vector<QueryPosition>& positions, float boost)
      : field_(field.path),
        norms_(field.norms),
        terms_(DistinctTerms(positions)),
        size_(static_cast<int>(positions.size())),
        cancel_(context.cancel) {
    if (mode == ScoreMode::kNone) return;
    const FieldTotals totals = TotalsOf(*context.snapshot, field_);
    // Every occurrence counts, added up in the order of the text as Lucene does.
    TextMap<std::string_view, float> idfs;
    double idf = 0;
    for (const QueryPosition& position : positions) {
      const auto [it, fresh] = idfs.try_emplace(position.terms[0]);
      if (fresh) {
        const uint64_t doc_freq = DocFreq(*context.snapshot, position.terms[0]);
        if (doc_freq > 0) it->second = Idf(doc_freq, totals.doc_count);
      }
      idf += it->second;
    }
    bm25_.emplace(boost, static_cast<float>(idf), totals);
  }

  absl::StatusOr<std::unique_ptr<ScorerSupplier>> ForSegment(
      const index::SnapshotSegment& segment) const override {
    const codec::FieldTerms* dictionary = segment.reader->Terms(field_);
    if (dictionary == nullptr) return nullptr;
    std::vector<PhraseTerm> phrase(terms_.size());
    for (size_t i = 0; i < terms_.size(); ++i) {
      if (!dictionary->Find(terms_[i].term, phrase[i].entry)) return nullptr;
      phrase[i].offsets = terms_[i].offsets;
    }
    return NewPhraseSupplier(dictionary, std::move(phrase), bm25_ ? &*bm25_ : nullptr,
                             norms_ ? segment.reader->NormsOf(field_) : nullptr, cancel_);
  }
  int clause_count() const override { return size_; }

 private:
  uint64_t DocFreq(const index::Snapshot& snapshot, const std::string& term) const {
    uint64_t doc_freq = 0;
    for (const index::SnapshotSegment& segment : snapshot.segments) {
      codec::TermEntry entry;
      const codec::FieldTerms* dictionary = segment.reader->Terms(field_);
      if (dictionary != nullptr && dictionary->Find(term, entry)) doc_freq += entry.doc_freq;
    }
    return doc_freq;
  }

  const std::string field_;
  const bool norms_;
  const std::vector<PlacedTerm> terms_;
  const int size_;  // occurrences
  const CancelToken* const cancel_;
  std::optional<Bm25> bm25_;  // only with scores
};

class MatchPhraseQuery : public Query {
 public:
  explicit MatchPhraseQuery(MatchPhraseQueryOptions options) : options_(std::move(options)) {}

  absl::StatusOr<PreparedPtr> Prepare(const ShardContext& context, ScoreMode mode) const override {
    if (options_.slop != 0) {
      return Unsupported(
          fmt::format("[match_phrase] slop [{}] is not supported: only 0 is", options_.slop));
    }
    const mapping::MappedField* field = context.mapping->Find(options_.field);
    if (field == nullptr) return PrepareNone();
    if (field->kind != mapping::FieldKind::kText) {
      return PrepareExact(context, mode, *field, options_.query, options_.boost);
    }
    CURLEW_RETURN_IF_ERROR(CheckSearchable(*field));
    CURLEW_ASSIGN_OR_RETURN(
        const std::vector<QueryPosition> positions,
        AnalyzeQueryText(context, "match_phrase", *field, options_.analyzer, options_.query));
    if (positions.empty()) {
      return options_.zero_terms == ZeroTerms::kAll ? PrepareAll(options_.boost) : PrepareNone();
    }
    for (const QueryPosition& position : positions) {
      if (position.terms.size() > 1) {
        return Unsupported(fmt::format(
            "[match_phrase] on [{}]: an analyzer that gives several terms at one position is not "
            "supported",
            Clip(field->path)));
      }
    }
    if (positions.size() == 1) {
      return PrepareExact(context, mode, *field, positions[0].terms[0], options_.boost);
    }
    if (field->index_options < codec::IndexOptions::kPositions) {
      return IllegalArgument(
          fmt::format("field [{}] was indexed without position data; phrases cannot be found in it",
                      Clip(field->path)));
    }
    return std::make_unique<Phrase>(context, mode, *field, positions, options_.boost);
  }

 private:
  const MatchPhraseQueryOptions options_;
};

}  // namespace

QueryPtr NewMatchPhraseQuery(MatchPhraseQueryOptions options) {
  return std::make_shared<MatchPhraseQuery>(std::move(options));
}

}  // namespace curlew::search
