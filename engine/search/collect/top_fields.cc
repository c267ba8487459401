#include "engine/search/collect/top_fields.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/codec/columns/column.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

bool Scored(const std::vector<ResolvedKey>& keys) {
  return std::any_of(keys.begin(), keys.end(), [](const ResolvedKey& key) {
    return key.source == ResolvedKey::Source::kScore;
  });
}

}  // namespace

TopFieldsCollector::TopFieldsCollector(std::vector<ResolvedKey> keys, std::vector<AfterValue> after,
                                       size_t k, bool track_scores, const CancelToken* cancel)
    : keys_(std::move(keys)),
      after_(std::move(after)),
      k_(k),
      scored_(track_scores || Scored(keys_)),
      cancel_(cancel),
      tables_(keys_.size()) {
  for (const ResolvedKey& key : keys_) {
    strings_ = strings_ || key.source == ResolvedKey::Source::kString;
  }
}

absl::StatusOr<LeafCollector*> TopFieldsCollector::StartSegment(
    const index::SnapshotSegment& segment, int64_t) {
  doc_base_ = segment.doc_base;
  max_doc_ = segment.reader->max_doc();
  readers_.clear();
  after_codes_.clear();
  for (size_t i = 0; i < keys_.size(); ++i) {
    CURLEW_ASSIGN_OR_RETURN(std::unique_ptr<SortReader> reader,
                            NewSortReader(keys_[i], segment, cancel_));
    if (!after_.empty()) after_codes_.push_back(reader->CodeOf(after_[i]));
    readers_.push_back(std::move(reader));
  }
  if (strings_) StartThreshold();
  return this;
}

void TopFieldsCollector::StartThreshold() {
  full_ = kept_.size() >= k_;
  if (!full_) return;
  Candidate worst =
      *std::max_element(kept_.begin(), kept_.end(),
                        [this](const Candidate& a, const Candidate& b) { return Better(a, b); });
  worst_first_ = worst.first;
  if (keys_[0].source != ResolvedKey::Source::kString) return;
  AfterValue value;
  if (worst.first != keys_[0].NullCode()) {
    value.text = tables_[0][static_cast<size_t>(keys_[0].Flip(worst.first))];
  }
  worst_first_ = readers_[0]->CodeOf(value);
}

absl::Status TopFieldsCollector::FinishSegment() {
  if (strings_) MergeSegment();
  return absl::OkStatus();
}

void TopFieldsCollector::Collect(std::span<const DocId> docs, std::span<const float> scores) {
  const size_t count = docs.size();
  codes_.resize(count * keys_.size());
  for (size_t key = 0; key < keys_.size(); ++key) {
    readers_[key]->Read(docs, scores, codes_.data() + key * count);
  }
  // Of equal documents the first are kept, and they come in order: with one key, one that is equal
  // to the worst cannot compete.
  const bool one_key = keys_.size() == 1;
  for (size_t i = 0; i < count; ++i) {
    if (full_ && (one_key ? codes_[i] >= worst_first_ : codes_[i] > worst_first_)) continue;
    if (!after_codes_.empty() && !IsAfter(i, count)) continue;
    Push(i, docs[i], scores.empty() ? kNoScore : scores[i]);
    if (current_.size() >= 2 * k_) {
      Cut(current_);
      worst_first_ = current_.back().first;
      full_ = true;
    }
  }
}

bool TopFieldsCollector::Competes(const SortReader::Bounds& bounds) const {
  const bool one_key = keys_.size() == 1;
  if (full_ && (one_key ? bounds.best >= worst_first_ : bounds.best > worst_first_)) return false;
  if (after_codes_.empty()) return true;
  return one_key ? bounds.worst > after_codes_[0] : bounds.worst >= after_codes_[0];
}

DocId TopFieldsCollector::NextCompetitive(DocId doc) {
  if (!full_ && after_codes_.empty()) return doc;
  for (; doc < max_doc_; doc = (doc / codec::kColumnBlockDocs + 1) * codec::kColumnBlockDocs) {
    if (Competes(readers_[0]->BoundsOf(doc / codec::kColumnBlockDocs))) return doc;
  }
  return kNoMoreDocs;
}

bool TopFieldsCollector::done() const {
  // Documents come in index order: later ones cannot be better.
  return keys_[0].source == ResolvedKey::Source::kDoc && !keys_[0].descending &&
         current_.size() + kept_.size() >= k_;
}

bool TopFieldsCollector::IsAfter(size_t i, size_t stride) const {
  for (size_t key = 0; key < keys_.size(); ++key) {
    const int64_t code = codes_[key * stride + i];
    if (code != after_codes_[key]) return code > after_codes_[key];
  }
  return false;
}

bool TopFieldsCollector::Better(const Candidate& a, const Candidate& b) const {
  if (a.first != b.first) return a.first < b.first;
  const int64_t* a_rest = &slots_[a.slot * keys_.size()];
  const int64_t* b_rest = &slots_[b.slot * keys_.size()];
  for (size_t i = 0; i + 1 < keys_.size(); ++i) {
    if (a_rest[i] != b_rest[i]) return a_rest[i] < b_rest[i];
  }
  return a.doc < b.doc;
}

void TopFieldsCollector::Push(size_t i, DocId doc, float score) {
  uint32_t slot;
  if (free_slots_.empty()) {
    slot = static_cast<uint32_t>(slots_.size() / keys_.size());
    slots_.resize(slots_.size() + keys_.size());
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  const size_t stride = codes_.size() / keys_.size();
  int64_t* rest = &slots_[slot * keys_.size()];
  for (size_t key = 1; key < keys_.size(); ++key) rest[key - 1] = codes_[key * stride + i];
  rest[keys_.size() - 1] = std::bit_cast<int32_t>(score);
  current_.push_back({codes_[i], doc_base_ + doc, slot});
}

void TopFieldsCollector::Cut(std::vector<Candidate>& candidates) {
  if (candidates.size() <= k_) return;
  const auto last = candidates.begin() + static_cast<std::ptrdiff_t>(k_) - 1;
  std::nth_element(candidates.begin(), last, candidates.end(),
                   [this](const Candidate& a, const Candidate& b) { return Better(a, b); });
  for (auto it = last + 1; it != candidates.end(); ++it) free_slots_.push_back(it->slot);
  candidates.resize(k_);
}

int64_t& TopFieldsCollector::CodeAt(Candidate& candidate, size_t key) {
  return key == 0 ? candidate.first : slots_[candidate.slot * keys_.size() + key - 1];
}

void TopFieldsCollector::MergeSegment() {
  full_ = false;
  if (current_.empty()) return;
  Cut(current_);
  for (size_t key = 0; key < keys_.size(); ++key) {
    if (keys_[key].source == ResolvedKey::Source::kString) Retable(key);
  }
  kept_.insert(kept_.end(), current_.begin(), current_.end());
  current_.clear();
  Cut(kept_);
}

void TopFieldsCollector::Retable(size_t key) {
  const ResolvedKey& resolved = keys_[key];
  std::vector<std::pair<int64_t, std::string>> fresh;  // of this segment: code and text
  for (Candidate& candidate : current_) {
    const int64_t code = CodeAt(candidate, key);
    if (code != resolved.NullCode()) fresh.emplace_back(code, std::string());
  }
  std::sort(fresh.begin(), fresh.end());
  fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
  std::vector<std::string> table = tables_[key];
  for (auto& [code, text] : fresh) {
    text = *readers_[key]->TextOf(code);
    table.push_back(text);
  }
  std::sort(table.begin(), table.end());
  table.erase(std::unique(table.begin(), table.end()), table.end());
  const auto place = [&table, &resolved](const std::string& text) {
    return resolved.Flip(std::lower_bound(table.begin(), table.end(), text) - table.begin());
  };
  for (Candidate& candidate : kept_) {
    int64_t& code = CodeAt(candidate, key);
    if (code == resolved.NullCode()) continue;
    code = place(tables_[key][static_cast<size_t>(resolved.Flip(code))]);
  }
  for (Candidate& candidate : current_) {
    int64_t& code = CodeAt(candidate, key);
    if (code == resolved.NullCode()) continue;
    const auto it = std::lower_bound(fresh.begin(), fresh.end(), std::pair(code, std::string()));
    code = place(it->second);
  }
  tables_[key] = std::move(table);
}

TopHits TopFieldsCollector::Take() {
  std::vector<Candidate>& best = strings_ ? kept_ : current_;
  Cut(best);
  std::sort(best.begin(), best.end(),
            [this](const Candidate& a, const Candidate& b) { return Better(a, b); });
  TopHits top;
  top.sort_keys = keys_.size();
  top.hits.resize(best.size());
  top.sort_values.reserve(best.size() * keys_.size());
  for (size_t i = 0; i < best.size(); ++i) {
    top.hits[i].doc = best[i].doc;
    if (scored_) {
      const int64_t bits = slots_[best[i].slot * keys_.size() + keys_.size() - 1];
      top.hits[i].score = std::bit_cast<float>(static_cast<int32_t>(bits));
    }
    for (size_t key = 0; key < keys_.size(); ++key) {
      const int64_t code = CodeAt(best[i], key);
      if (keys_[key].source != ResolvedKey::Source::kString) {
        top.sort_values.push_back(ToSortValue(keys_[key], keys_[key].Flip(code)));
      } else if (code == keys_[key].NullCode()) {
        top.sort_values.emplace_back();
      } else {
        top.sort_values.emplace_back(tables_[key][static_cast<size_t>(keys_[key].Flip(code))]);
      }
    }
  }
  return top;
}

}  // namespace curlew::search
