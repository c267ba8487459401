// Postings of every length and option say what was written, however one moves through them.
#include "engine/codec/postings/postings.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "engine/codec/postings/posting_blocks.h"
#include "engine/codec/terms/inverted_reader.h"
#include "engine/codec/terms/inverted_writer.h"
#include "engine/store/memory_directory.h"
#include "test/support/asserting_postings.h"
#include "test/support/random.h"

namespace curlew::codec {
namespace {

struct Posting {
  DocId doc = 0;
  std::vector<uint32_t> positions;
};
using List = std::vector<Posting>;

// `count` documents over about `count` * `sparse` numbers; the frequencies and position gaps have
// shapes that need each of the byte widths.
List RandomList(test::Random& random, size_t count, int64_t sparse) {
  const int64_t max_freq = random.Pick<int64_t>({1, 1, 3, 3, 8, 300});
  const int64_t max_gap = random.Pick<int64_t>({1, 100, 300, 100'000, 1'000'000});
  List list;
  DocId next = static_cast<DocId>(random.Between(0, 3));
  for (size_t i = 0; i < count; ++i) {
    Posting posting{next, {}};
    // A rare long one makes one block wide, and its neighbours not.
    const int64_t freq = random.OneIn(200) ? random.Between(1, max_freq) : random.Between(1, 2);
    uint32_t position = 0;
    for (int64_t f = std::min(freq, max_freq); f > 0; --f) {
      position += static_cast<uint32_t>(random.Between(0, random.OneIn(50) ? max_gap : 20));
      posting.positions.push_back(position);
    }
    list.push_back(posting);
    next += static_cast<DocId>(random.Between(1, 2 * sparse - 1));
  }
  return list;
}

// A segment in memory with one field of `options`, and its lists by term.
struct Fixture {
  Fixture(std::map<std::string, List> lists, IndexOptions options,
          std::vector<uint8_t> field_norms = {})
      : lists(std::move(lists)),
        options(options),
        norms(std::move(field_norms)),
        directory(store::NewMemoryDirectory()) {
    auto writer = InvertedWriter::Create(*directory, "_0").value();
    writer->StartField("f", options, norms);
    std::vector<DocId> all;
    for (const auto& [term, list] : this->lists) {
      writer->StartTerm(term);
      for (const Posting& posting : list) {
        writer->AddPosting(posting.doc, static_cast<uint32_t>(posting.positions.size()),
                           posting.positions);
        all.push_back(posting.doc);
      }
      writer->FinishTerm();
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    writer->FinishField(static_cast<uint32_t>(all.size()));
    REQUIRE(writer->Finish().ok());
    max_doc = all.back() + 1;
    reader = InvertedReader::Open(*directory, "_0", max_doc).value();
    field = reader->Field("f");
    REQUIRE(field != nullptr);
  }

  uint32_t FreqOf(const Posting& posting) const {
    return options >= IndexOptions::kFreqs ? static_cast<uint32_t>(posting.positions.size()) : 1;
  }
  // Quick where it holds, and a readable failure where not.
  void CheckDocument(Postings& postings, const Posting& expected) const {
    const bool same_freq = postings.freq() == FreqOf(expected);
    if (!same_freq) REQUIRE(postings.freq() == FreqOf(expected));
    const auto positions = postings.positions();
    const std::vector<uint32_t> got(positions.begin(), positions.end());
    const std::vector<uint32_t> want =
        options >= IndexOptions::kPositions ? expected.positions : std::vector<uint32_t>();
    if (got != want) REQUIRE(got == want);
  }

  std::map<std::string, List> lists;
  IndexOptions options;
  std::vector<uint8_t> norms;
  std::shared_ptr<store::Directory> directory;
  std::unique_ptr<InvertedReader> reader;
  const FieldTerms* field = nullptr;
  DocId max_doc = 0;
};

void Walk(const Fixture& fixture, const std::string& term, const List& list, bool look) {
  const auto postings = test::OpenAsserting(*fixture.field, term);
  REQUIRE(postings != nullptr);
  REQUIRE(postings->doc_freq() == list.size());
  for (const Posting& posting : list) {
    const DocId doc = postings->Next();
    if (doc != posting.doc) REQUIRE(doc == posting.doc);
    if (look) fixture.CheckDocument(*postings, posting);
  }
  REQUIRE(postings->Next() == kNoMoreDocs);
  REQUIRE(postings->doc() == kNoMoreDocs);
}

// Next, Advance and NextBatch in any order, looking at frequencies and positions now and then.
void Wander(const Fixture& fixture, const std::string& term, const List& list,
            test::Random& random) {
  const auto postings = test::OpenAsserting(*fixture.field, term);
  const auto find = [&](size_t from, DocId target) {
    return static_cast<size_t>(
        std::lower_bound(list.begin() + static_cast<int64_t>(from), list.end(), target,
                         [](const Posting& p, DocId doc) { return p.doc < doc; }) -
        list.begin());
  };
  size_t at = 0;  // where postings stands, once it has moved
  bool fresh = true;
  std::vector<DocId> docs(300);
  std::vector<uint32_t> freqs(300);
  while (true) {
    if (fresh ? random.OneIn(2) : random.OneIn(3)) {
      at = fresh ? 0 : at + 1;
      postings->Next();
    } else if (fresh || random.OneIn(2)) {
      const DocId least = fresh ? 0 : list[at].doc + 1;
      DocId target =
          least + static_cast<DocId>(random.Between(0, random.Pick<int64_t>({0, 3, 200, 20'000})));
      if (random.OneIn(60)) target = kNoMoreDocs;
      // Often exactly onto a document: the first or last of a block among them.
      if (random.OneIn(2)) {
        const size_t to = std::min(list.size() - 1,
                                   (fresh ? 0 : at + 1) + static_cast<size_t>(random.Pick<int64_t>(
                                                              {0, 1, 126, 127, 128, 129, 1000})));
        target = std::max(least, list[to].doc);
      }
      at = find(fresh ? 0 : at, target);
      postings->Advance(target);
    } else {
      const auto room = static_cast<uint32_t>(random.Pick<int64_t>({0, 1, 7, 127, 128, 300}));
      const DocId end = list[at].doc + static_cast<DocId>(random.Between(0, 2000));
      const bool with_freqs = random.OneIn(2);
      const uint32_t n =
          postings->NextBatch(end, room, docs.data(), with_freqs ? freqs.data() : nullptr);
      const size_t to = std::min(find(at, end), at + room);
      REQUIRE(n == to - at);
      for (uint32_t i = 0; i < n; ++i) {
        const Posting& expected = list[at + i];
        if (docs[i] != expected.doc) REQUIRE(docs[i] == expected.doc);
        if (with_freqs && freqs[i] != fixture.FreqOf(expected)) {
          REQUIRE(freqs[i] == fixture.FreqOf(expected));
        }
      }
      at = to;
    }
    fresh = false;
    if (at >= list.size()) break;
    if (postings->doc() != list[at].doc) REQUIRE(postings->doc() == list[at].doc);
    if (random.OneIn(3)) fixture.CheckDocument(*postings, list[at]);
    if (random.OneIn(5)) fixture.CheckDocument(*postings, list[at]);
  }
  REQUIRE(postings->doc() == kNoMoreDocs);
  REQUIRE_FALSE(postings->corrupt());
}

TEST_CASE("postings battery: lists of every length, option and density") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const auto options =
      GENERATE(IndexOptions::kDocs, IndexOptions::kFreqs, IndexOptions::kPositions);
  const std::vector<size_t> sizes = {1,   2,   3,   127,  128,  129,  130,  255,
                                     256, 257, 384, 1000, 4095, 4096, 4097, 65536};
  std::map<std::string, List> lists;
  for (const size_t size : sizes) {
    for (const int64_t sparse : {1, 2, 40, 700}) {
      if (size > 10'000 && sparse > 40) continue;
      lists["t" + std::to_string(size) + "_" + std::to_string(sparse)] =
          RandomList(random, size, sparse);
    }
  }
  // Gaps of four bytes.
  List far = RandomList(random, 300, 1);
  far[200].doc = 5'000'000;
  far.resize(201);
  lists["far"] = far;

  const Fixture fixture(lists, options);
  for (const auto& [term, list] : fixture.lists) {
    INFO("term " << term);
    TermEntry entry;
    REQUIRE(fixture.field->Find(term, entry));
    uint64_t occurrences = 0;
    for (const Posting& posting : list) occurrences += fixture.FreqOf(posting);
    REQUIRE(entry.doc_freq == list.size());
    REQUIRE(entry.total_term_freq == occurrences);
    Walk(fixture, term, list, false);
    Walk(fixture, term, list, true);
    const int rounds = list.size() > 10'000 ? 3 : 12;
    for (int round = 0; round < rounds; ++round) Wander(fixture, term, list, random);
  }
}

// The impacts of `list` from `first` on, a block of them, of which no other is as good.
std::vector<Impact> FrontOf(const Fixture& fixture, const List& list, size_t first) {
  std::vector<Impact> all;
  for (size_t i = first; i < std::min(list.size(), first + kPostingsBlock); ++i) {
    all.push_back(
        {fixture.FreqOf(list[i]), fixture.norms.empty() ? kNoNorm : fixture.norms[list[i].doc]});
  }
  std::vector<Impact> front;
  for (const Impact& one : all) {
    const bool beaten = std::any_of(all.begin(), all.end(), [&](const Impact& other) {
      return other != one && other.freq >= one.freq && other.norm <= one.norm;
    });
    if (!beaten) front.push_back(one);
  }
  std::sort(front.begin(), front.end(),
            [](const Impact& a, const Impact& b) { return a.freq < b.freq; });
  front.erase(std::unique(front.begin(), front.end()), front.end());
  return front;
}

TEST_CASE("blocks can be read in any order; their fronts are exact") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const auto options =
      GENERATE(IndexOptions::kDocs, IndexOptions::kFreqs, IndexOptions::kPositions);
  for (const size_t size : {1, 2, 127, 128, 129, 256, 257, 4097}) {
    for (const bool with_norms : {false, true}) {
      const std::map<std::string, List> lists = {
          {"t", RandomList(random, size, random.Pick<int64_t>({1, 2, 50}))}};
      std::vector<uint8_t> norms;
      if (with_norms) {
        for (DocId doc = 0; doc <= lists.at("t").back().doc; ++doc) {
          norms.push_back(static_cast<uint8_t>(random.Between(1, 120)));
        }
      }
      const Fixture fixture(lists, options, norms);
      const List& list = fixture.lists.at("t");
      TermEntry entry;
      REQUIRE(fixture.field->Find("t", entry));
      PostingBlocks blocks;
      REQUIRE(fixture.field->Blocks(entry, blocks));
      REQUIRE_FALSE(blocks.corrupt());
      REQUIRE(blocks.count() == (size + kPostingsBlock - 1) / kPostingsBlock);
      for (int turn = 0; turn < 20; ++turn) {
        const auto b = static_cast<uint32_t>(random.Between(0, blocks.count() - 1));
        const size_t first = b * kPostingsBlock;
        PostingBlock block;
        REQUIRE(blocks.Locate(b, block));
        REQUIRE(block.size() == std::min<size_t>(kPostingsBlock, size - first));
        DocId docs[kBlockRoom];
        uint32_t freqs[kBlockRoom];
        REQUIRE(blocks.Docs(b, block, docs));
        block.Freqs(freqs);
        uint64_t total = 0;
        for (uint32_t i = 0; i < block.size(); ++i) total += fixture.FreqOf(list[first + i]);
        uint64_t start = 0;
        PostingBlock::PositionsChunk chunk;
        uint32_t ends[kBlockRoom];
        block.PositionEnds(ends);
        for (uint32_t i = 0; i < block.size(); ++i) {
          const Posting& expected = list[first + i];
          const uint32_t freq = fixture.FreqOf(expected);
          REQUIRE(docs[i] == expected.doc);
          REQUIRE(freqs[i] == freq);
          REQUIRE(block.Freq(i) == freq);
          if (random.OneIn(8)) {
            if (random.OneIn(4)) chunk.next = nullptr;  // found again from the first one
            uint32_t position = 0;
            for (uint32_t p = 0; options == IndexOptions::kPositions && p < freq; ++p) {
              REQUIRE(block.ReadPositions(total, start + p, chunk));
              REQUIRE(chunk.start <= start + p);
              REQUIRE(start + p < chunk.start + chunk.size);
              position += chunk.gaps[start + p - chunk.start];
              REQUIRE(position == expected.positions[p]);
            }
            REQUIRE(block.ReadPositions(total, start, chunk) ==
                    (options == IndexOptions::kPositions));
            REQUIRE_FALSE(block.ReadPositions(total, total, chunk));
          }
          start += freq;
          REQUIRE(ends[i] == start);
        }
        const DocId target =
            list[static_cast<size_t>(random.Between(0, static_cast<int64_t>(size) - 1))].doc;
        const uint32_t found = blocks.Find(target, 0);
        REQUIRE(found < blocks.count());
        REQUIRE(blocks.LastDoc(found) >= target);
        REQUIRE(blocks.FirstBound(found) <= target);
      }
      uint32_t seen = 0;
      const bool fronts = blocks.ForEachFront([&](uint32_t b, std::span<const Impact> front) {
        REQUIRE(b == seen++);
        REQUIRE(std::vector<Impact>(front.begin(), front.end()) ==
                FrontOf(fixture, list, b * kPostingsBlock));
      });
      const bool scored = options >= IndexOptions::kFreqs || with_norms;
      REQUIRE(fronts == (scored && blocks.count() > 1));
      REQUIRE(seen == (fronts ? blocks.count() : 0));
    }
  }
}

TEST_CASE("a list can be advanced to each of its documents and each gap, from the start") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (const size_t size : {1, 127, 128, 129, 257}) {
    const Fixture fixture({{"t", RandomList(random, size, 3)}}, IndexOptions::kPositions);
    const List& list = fixture.lists.at("t");
    size_t at = 0;
    for (DocId target = 0; target <= fixture.max_doc; ++target) {
      while (at < list.size() && list[at].doc < target) ++at;
      const auto postings = test::OpenAsserting(*fixture.field, "t");
      const DocId expected = at < list.size() ? list[at].doc : kNoMoreDocs;
      if (postings->Advance(target) != expected) REQUIRE(postings->doc() == expected);
      if (at < list.size()) fixture.CheckDocument(*postings, list[at]);
    }
  }
}

TEST_CASE("a list whose entry is nonsense is empty and says that it is damaged") {
  test::Random random;
  const Fixture fixture({{"t", RandomList(random, 300, 3)}}, IndexOptions::kPositions);
  TermEntry entry;
  REQUIRE(fixture.field->Find("t", entry));
  for (const TermEntry& wrong :
       {TermEntry{fixture.max_doc + 1, 400, entry.postings_offset},
        TermEntry{300, 400, uint64_t{1} << 40}, TermEntry{300, 400, ~uint64_t{0}}}) {
    const auto postings = fixture.field->OpenPostings(wrong);
    REQUIRE(postings->corrupt());
    REQUIRE(postings->Next() == kNoMoreDocs);
    REQUIRE(fixture.field->OpenPostings(wrong)->Advance(7) == kNoMoreDocs);
  }
}

TEST_CASE("postings out of order are refused when the segment is finished") {
  const auto write = [](const std::vector<std::pair<DocId, std::vector<uint32_t>>>& postings) {
    const auto directory = store::NewMemoryDirectory();
    auto writer = InvertedWriter::Create(*directory, "_0").value();
    writer->StartField("f", IndexOptions::kPositions, {});
    writer->StartTerm("t");
    for (const auto& [doc, positions] : postings) writer->AddPosting(doc, 2, positions);
    writer->FinishTerm();
    writer->FinishField(1);
    return writer->Finish();
  };
  CHECK(write({{1, {1, 2}}, {2, {0, 0}}}).ok());
  CHECK(write({{2, {1, 2}}, {1, {1, 2}}}).code() == absl::StatusCode::kInternal);
  CHECK(write({{1, {1, 2}}, {1, {1, 2}}}).code() == absl::StatusCode::kInternal);
  CHECK(write({{1, {2, 1}}}).code() == absl::StatusCode::kInternal);
  CHECK(write({{1, {2}}}).code() == absl::StatusCode::kInternal);
  CHECK(write({{kNoMoreDocs, {1, 2}}}).code() == absl::StatusCode::kInternal);
}

}  // namespace
}  // namespace curlew::codec
