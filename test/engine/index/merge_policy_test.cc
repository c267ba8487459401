// The merge policy on tables, and on the life of a shard played without its documents.
#include "engine/index/merge/merge_policy.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "test/support/random.h"

namespace curlew::index {
namespace {

constexpr uint64_t kMb = 1 << 20;
const MergeSettings kSettings;

std::vector<MergeCandidate> Sizes(std::initializer_list<uint64_t> mb) {
  std::vector<MergeCandidate> segments;
  for (const uint64_t size : mb) segments.push_back({size * kMb, 1000, 0});
  return segments;
}

TEST_CASE("few segments are left alone") {
  CHECK(FindMerge({}, kSettings).empty());
  CHECK(FindMerge(Sizes({1}), kSettings).empty());
  CHECK(FindMerge(Sizes({1, 1, 1, 1, 1, 1, 1, 1, 1, 1}), kSettings).empty());
  CHECK(FindMerge(Sizes({500, 400, 1, 1, 1}), kSettings).empty());
}

TEST_CASE("too many small segments are merged ten at a time") {
  CHECK(FindMerge(Sizes({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}), kSettings).size() == 10);
  // The large one stays out of it.
  const auto merge = FindMerge(Sizes({800, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                      1,   1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}),
                               kSettings);
  CHECK(merge.size() == 10);
  CHECK(std::find(merge.begin(), merge.end(), size_t{0}) == merge.end());
}

TEST_CASE("no result is larger than allowed") {
  std::vector<MergeCandidate> segments(40, MergeCandidate{1000 * kMb, 1000, 0});
  const auto merge = FindMerge(segments, kSettings);
  REQUIRE(!merge.empty());
  CHECK(merge.size() * 1000 * kMb <= kSettings.max_merged_bytes);
  std::vector<MergeCandidate> full(40, MergeCandidate{4000 * kMb, 1000, 0});
  CHECK(FindMerge(full, kSettings).empty());
}

TEST_CASE("deletions are a reason to merge") {
  std::vector<MergeCandidate> segments = {{100 * kMb, 1000, 0}, {100 * kMb, 1000, 100}};
  CHECK(FindMerge(segments, kSettings).empty());
  segments[1].deleted = 340;
  CHECK(FindMerge(segments, kSettings) == std::vector<size_t>{1});
  segments[1].deleted = 1000;
  CHECK(FindMerge(segments, kSettings) == std::vector<size_t>{1});
  // More than the shard's share, though no segment is bad by itself.
  segments = {{100 * kMb, 1000, 250}, {100 * kMb, 1000, 260}};
  CHECK(FindMerge(segments, kSettings) == std::vector<size_t>{1});
  // A segment of the largest size as well.
  segments = {{5000 * kMb, 1000, 400}};
  CHECK(FindMerge(segments, kSettings) == std::vector<size_t>{0});
}

TEST_CASE("a forced merge ends with as many segments as asked for, and no deletions") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int round = 0; round < 200; ++round) {
    std::vector<MergeCandidate> segments;
    for (int64_t i = random.Between(0, 40); i > 0; --i) {
      const auto docs = static_cast<uint32_t>(random.Between(1, 1000));
      segments.push_back({docs * 1000, docs,
                          random.OneIn(3) ? static_cast<uint32_t>(random.Between(0, docs)) : 0});
    }
    const auto target = static_cast<size_t>(random.Between(1, 5));
    int merges = 0;
    for (;;) {
      const auto merge = FindForcedMerge(segments, target, kSettings);
      if (merge.empty()) break;
      REQUIRE(++merges < 100);
      MergeCandidate result;
      for (const size_t i : merge) {
        result.bytes += segments[i].bytes;
        result.max_doc += segments[i].max_doc - segments[i].deleted;
      }
      for (auto it = merge.rbegin(); it != merge.rend(); ++it) {
        segments.erase(segments.begin() + static_cast<ptrdiff_t>(*it));
      }
      if (result.max_doc > 0) segments.push_back(result);
    }
    REQUIRE(segments.size() <= target);
    for (const MergeCandidate& s : segments) REQUIRE(s.deleted == 0);
  }
}

TEST_CASE("deletions are expunged where there are more than a tenth") {
  const MergeSettings settings;
  constexpr uint64_t kGb = 1ull << 30;
  CHECK(FindExpungeMerge({}, settings).empty());
  const std::vector<MergeCandidate> few = {{1000, 100, 0}, {1000, 100, 10}, {1000, 10, 1}};
  CHECK(FindExpungeMerge(few, settings).empty());
  const std::vector<MergeCandidate> some = {{1000, 100, 11}, {1000, 100, 10}, {9000, 100, 100}};
  CHECK(FindExpungeMerge(some, settings) == std::vector<size_t>{0, 2});
  // As large as a result may be, or as many as go together; the rest comes with the next one.
  const std::vector<MergeCandidate> large = {
      {3 * kGb, 100, 20}, {8 * kGb, 100, 20}, {4 * kGb, 100, 50}};
  CHECK(FindExpungeMerge(large, settings) == std::vector<size_t>{1});
  const std::vector<MergeCandidate> two = {{3 * kGb, 100, 20}, {4 * kGb, 100, 50}};
  CHECK(FindExpungeMerge(two, settings) == std::vector<size_t>{0, 1});
  CHECK(FindExpungeMerge(std::vector<MergeCandidate>(25, {1000, 10, 5}), settings).size() == 10);
}

// A segment a second for hours: the number stays bounded, and so does what is rewritten.
TEST_CASE("the number of segments stays logarithmic") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  std::vector<MergeCandidate> segments;
  uint64_t written = 0;
  uint64_t merged = 0;
  size_t most = 0;
  for (int second = 0; second < 5000; ++second) {
    const auto docs = static_cast<uint32_t>(random.Between(100, 5000));
    segments.push_back({docs * 1000ull, docs, 0});
    written += segments.back().bytes;
    if (random.OneIn(3)) {
      MergeCandidate& old = segments[static_cast<size_t>(
          random.Between(0, static_cast<int64_t>(segments.size()) - 1))];
      old.deleted += (old.max_doc - old.deleted) / 10;
    }
    for (int merges = 0;; ++merges) {
      REQUIRE(merges < 20);
      const auto merge = FindMerge(segments, kSettings);
      if (merge.empty()) break;
      REQUIRE(std::is_sorted(merge.begin(), merge.end()));
      MergeCandidate result;
      for (const size_t i : merge) {
        const MergeCandidate& s = segments[i];
        result.bytes += s.bytes * (s.max_doc - s.deleted) / s.max_doc;
        result.max_doc += s.max_doc - s.deleted;
      }
      merged += result.bytes;
      for (auto it = merge.rbegin(); it != merge.rend(); ++it) {
        segments.erase(segments.begin() + static_cast<ptrdiff_t>(*it));
      }
      if (result.max_doc > 0) segments.push_back(result);
    }
    most = std::max(most, segments.size());
  }
  CHECK(most <= 45);
  CHECK(merged < written * 6);
}

}  // namespace
}  // namespace curlew::index
