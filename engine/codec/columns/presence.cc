#include "engine/codec/columns/presence.h"

#include <algorithm>
#include <bit>

#include "engine/codec/sections.h"
#include "engine/util/error.h"

namespace curlew::codec {
namespace {

uint32_t WordsOf(DocId docs) { return (docs + 63) / 64; }
uint32_t RanksOf(DocId docs) { return (WordsOf(docs) + kWordsPerRank - 1) / kWordsPerRank; }

void WriteChunk(store::CheckedWriter& out, std::span<const DocId> docs, DocId base, DocId size,
                PresenceRecord& record) {
  out.Align(sizeof(uint64_t));
  record.position = out.position();
  if (docs.empty() || docs.size() == size) return;
  if (docs.size() < kMinBitSet) {
    std::vector<uint16_t> list;
    for (const DocId doc : docs) list.push_back(static_cast<uint16_t>(doc - base));
    AppendArray(out, std::span<const uint16_t>(list));
    return;
  }
  std::vector<uint64_t> words(WordsOf(size));
  for (const DocId doc : docs) words[(doc - base) / 64] |= uint64_t{1} << ((doc - base) % 64);
  std::vector<uint16_t> ranks;
  uint32_t rank = 0;
  for (size_t word = 0; word < words.size(); ++word) {
    if (word % kWordsPerRank == 0) ranks.push_back(static_cast<uint16_t>(rank));
    rank += static_cast<uint32_t>(std::popcount(words[word]));
  }
  AppendArray(out, std::span<const uint64_t>(words));
  AppendArray(out, std::span<const uint16_t>(ranks));
}

}  // namespace

void WritePresence(store::CheckedWriter& out, std::span<const DocId> docs, DocId max_doc,
                   std::string& contents) {
  PutVarint(contents, docs.size());
  if (docs.size() == max_doc) return;
  std::vector<PresenceRecord> records;
  uint32_t rank = 0;
  for (uint64_t base = 0; base < max_doc; base += kPresenceDocs) {
    const uint64_t end = std::min<uint64_t>(base + kPresenceDocs, max_doc);
    uint32_t last = rank;
    while (last < docs.size() && docs[last] < end) ++last;
    PresenceRecord record{rank, last - rank, 0};
    WriteChunk(out, docs.subspan(rank, last - rank), static_cast<DocId>(base),
               static_cast<DocId>(end - base), record);
    records.push_back(record);
    rank = last;
  }
  out.Align(sizeof(uint64_t));
  PutVarint(contents, out.position());
  out.Append(
      {reinterpret_cast<const char*>(records.data()), records.size() * sizeof(PresenceRecord)});
}

absl::Status Presence::Load(const store::CheckedFile& file, ByteReader& in, DocId max_doc) {
  const auto bad = [&file] {
    return Corruption(file.name() + ": which documents have a value is damaged");
  };
  const uint64_t count = in.Varint();
  if (in.failed() || count == 0 || count > max_doc) return bad();
  max_doc_ = max_doc;
  count_ = static_cast<uint32_t>(count);
  if (every()) return absl::OkStatus();
  const uint64_t at = in.Varint();
  if (in.failed()) return bad();
  const uint64_t chunks = (uint64_t{max_doc} + kPresenceDocs - 1) / kPresenceDocs;
  CURLEW_ASSIGN_OR_RETURN(const auto words, MappedArray<uint64_t>(file, at, chunks * 2));
  uint64_t rank = 0;
  for (uint64_t i = 0; i < chunks; ++i) {
    PresenceRecord record;
    std::memcpy(&record, &words[i * 2], sizeof(record));
    const DocId docs = std::min<DocId>(kPresenceDocs, max_doc - i * kPresenceDocs);
    if (record.rank != rank || record.count > docs) return bad();
    rank += record.count;
    Chunk chunk{record.rank, record.count, docs, nullptr, nullptr, nullptr};
    if (record.count != 0 && record.count != docs) {
      if (record.count < kMinBitSet) {
        CURLEW_ASSIGN_OR_RETURN(const auto list,
                                MappedArray<uint16_t>(file, record.position, record.count));
        chunk.list = list.data();
      } else {
        CURLEW_ASSIGN_OR_RETURN(const auto bits,
                                MappedArray<uint64_t>(file, record.position, WordsOf(docs)));
        chunk.words = bits.data();
        CURLEW_ASSIGN_OR_RETURN(
            const auto ranks,
            MappedArray<uint16_t>(file, record.position + bits.size_bytes(), RanksOf(docs)));
        chunk.ranks = ranks.data();
      }
    }
    chunks_.push_back(chunk);
  }
  return rank == count ? absl::OkStatus() : bad();
}

uint32_t Presence::SetBefore(const Chunk& chunk, uint32_t place) {
  const uint32_t word = place / 64;
  uint32_t rank = chunk.ranks[word / kWordsPerRank];
  for (uint32_t w = word / kWordsPerRank * kWordsPerRank; w < word; ++w) {
    rank += static_cast<uint32_t>(std::popcount(chunk.words[w]));
  }
  return rank + static_cast<uint32_t>(
                    std::popcount(chunk.words[word] & ((uint64_t{1} << (place % 64)) - 1)));
}

uint32_t Presence::RankIn(const Chunk& chunk, uint32_t place) {
  if (chunk.list != nullptr) {
    const uint16_t* const end = chunk.list + chunk.count;
    const uint16_t* const at = std::lower_bound(chunk.list, end, place);
    if (at == end || *at != place) return kNone;
    return chunk.rank + static_cast<uint32_t>(at - chunk.list);
  }
  if (chunk.words == nullptr) return chunk.count == 0 ? kNone : chunk.rank + place;
  if ((chunk.words[place / 64] >> (place % 64) & 1) == 0) return kNone;
  const uint32_t rank = SetBefore(chunk, place);
  return rank < chunk.count ? chunk.rank + rank : kNone;
}

uint32_t Presence::Rank(DocId doc) const {
  if (doc >= max_doc_) return kNone;
  if (every()) return doc;
  return RankIn(chunks_[doc / kPresenceDocs], doc % kPresenceDocs);
}

uint32_t Presence::Before(DocId doc) const {
  if (doc >= max_doc_) return count_;
  if (every()) return doc;
  const Chunk& chunk = chunks_[doc / kPresenceDocs];
  const uint32_t place = doc % kPresenceDocs;
  if (chunk.list != nullptr) {
    const uint16_t* const at = std::lower_bound(chunk.list, chunk.list + chunk.count, place);
    return chunk.rank + static_cast<uint32_t>(at - chunk.list);
  }
  if (chunk.words == nullptr) return chunk.rank + (chunk.count == 0 ? 0 : place);
  return chunk.rank + std::min(SetBefore(chunk, place), chunk.count);
}

void Presence::Ranks(std::span<const DocId> docs, uint32_t* ranks) const {
  if (every()) {
    for (size_t i = 0; i < docs.size(); ++i) ranks[i] = docs[i] < max_doc_ ? docs[i] : kNone;
    return;
  }
  for (size_t i = 0; i < docs.size(); ++i) ranks[i] = Rank(docs[i]);
}

uint32_t Presence::Collect(DocId first, DocId last, std::vector<DocId>& docs) const {
  last = std::min(last, max_doc_);
  if (first >= last) return 0;
  if (every()) {
    for (DocId doc = first; doc < last; ++doc) docs.push_back(doc);
    return first;
  }
  const Chunk& chunk = chunks_[first / kPresenceDocs];
  const DocId base = first - first % kPresenceDocs;
  const uint32_t from = first - base;
  const uint32_t to = std::min(last - base, chunk.docs);
  if (chunk.list != nullptr) {
    const uint16_t* const end = chunk.list + chunk.count;
    const uint16_t* at = std::lower_bound(chunk.list, end, from);
    const uint32_t rank = chunk.rank + static_cast<uint32_t>(at - chunk.list);
    // Damaged lists need not ascend.
    for (uint32_t next = from; at != end && *at >= next && *at < to; ++at) {
      docs.push_back(base + *at);
      next = uint32_t{*at} + 1;
    }
    return rank;
  }
  if (chunk.words == nullptr) {
    if (chunk.count == 0) return 0;
    for (uint32_t place = from; place < to; ++place) docs.push_back(base + place);
    return chunk.rank + from;
  }
  const size_t before = docs.size();
  for (uint32_t word = from / 64; word * 64 < to; ++word) {
    uint64_t bits = chunk.words[word];
    if (word == from / 64) bits &= ~uint64_t{0} << (from % 64);
    if (word == to / 64) bits &= (uint64_t{1} << (to % 64)) - 1;
    for (; bits != 0; bits &= bits - 1) {
      docs.push_back(base + word * 64 + static_cast<uint32_t>(std::countr_zero(bits)));
    }
  }
  if (docs.size() == before) return 0;
  const uint32_t rank = RankIn(chunk, docs[before] - base);
  const uint64_t end = uint64_t{chunk.rank} + chunk.count;
  if (rank == kNone || rank + (docs.size() - before) > end) {
    docs.resize(before);
    return 0;
  }
  return rank;
}

}  // namespace curlew::codec
