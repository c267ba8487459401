#include "engine/codec/terms/terms_reader.h"

#include <algorithm>
#include <utility>

#include "engine/codec/postings/postings_reader.h"
#include "engine/codec/postings/single_posting.h"
#include "engine/codec/sections.h"
#include "engine/codec/terms/terms_format.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

size_t CommonPrefix(std::string_view a, std::string_view b) {
  const size_t limit = std::min(a.size(), b.size());
  size_t n = 0;
  while (n < limit && a[n] == b[n]) ++n;
  return n;
}

class BlockTermIterator final : public TermIterator {
 public:
  explicit BlockTermIterator(const FieldDictionary& dictionary) : dictionary_(dictionary) {}

  bool Next() override {
    if (left_ == 0) {
      if (next_block_ >= dictionary_.block_count()) return false;
      return LoadBlock(next_block_);
    }
    const uint64_t shared = in_.Varint();
    const std::string_view suffix = in_.String();
    if (in_.failed() || shared > term_.size()) return Corrupt();
    term_.resize(shared);
    term_.append(suffix);
    --left_;
    return dictionary_.ReadEntry(in_, entry_) || Corrupt();
  }

  bool SeekCeil(std::string_view target) override {
    uint64_t block = dictionary_.BlockFor(target);
    if (block == dictionary_.block_count()) block = 0;
    if (!LoadBlock(block)) return false;
    while (term_ < target) {
      if (!Next()) return false;
    }
    return true;
  }

  std::string_view term() const override { return term_; }
  const TermEntry& entry() const override { return entry_; }
  bool corrupt() const override { return corrupt_; }

 private:
  bool LoadBlock(uint64_t block) {
    next_block_ = block + 1;
    left_ = dictionary_.TermsIn(block) - 1;
    term_.assign(dictionary_.FirstTerm(block));
    in_ = ByteReader(dictionary_.BlockBytes(block));
    entry_ = {};
    return dictionary_.ReadEntry(in_, entry_) || Corrupt();
  }
  bool Corrupt() {
    corrupt_ = true;
    left_ = 0;
    next_block_ = dictionary_.block_count();
    return false;
  }

  const FieldDictionary& dictionary_;
  uint64_t next_block_ = 0;
  uint32_t left_ = 0;  // terms of the block behind the current one
  ByteReader in_;
  std::string term_;
  TermEntry entry_;
  bool corrupt_ = false;
};

class BlockFieldTerms final : public FieldTerms {
 public:
  explicit BlockFieldTerms(FieldDictionary dictionary) : dictionary_(std::move(dictionary)) {}

  const FieldStats& stats() const override { return dictionary_.stats; }
  IndexOptions options() const override { return dictionary_.options; }

  bool Find(std::string_view term, TermEntry& entry) const override {
    if (!dictionary_.filter.MayHave(term)) return false;
    const uint64_t block = dictionary_.BlockFor(term);
    if (block == dictionary_.block_count()) return false;
    const std::string_view first = dictionary_.FirstTerm(block);
    ByteReader in(dictionary_.BlockBytes(block));
    entry = {};
    if (!dictionary_.ReadEntry(in, entry)) return Damaged(entry);
    // How many bytes `term` shares with the entry before, which is known to be smaller. No term is
    // put together: an entry that shares more than that with its predecessor is smaller as well,
    // one that shares less is greater, and only one that shares as much needs a look at its bytes.
    size_t matched = CommonPrefix(first, term);
    if (matched == term.size() && matched == first.size()) return true;
    for (uint32_t left = dictionary_.TermsIn(block) - 1; left > 0; --left) {
      const uint64_t shared = in.Varint();
      const std::string_view suffix = in.String();
      if (in.failed()) return Damaged(entry);
      if (shared < matched) return false;
      if (!dictionary_.ReadEntry(in, entry)) return Damaged(entry);
      if (shared > matched) continue;
      const std::string_view rest = term.substr(matched);
      const size_t more = CommonPrefix(suffix, rest);
      if (more == rest.size()) return more == suffix.size();
      if (more < suffix.size() &&
          static_cast<uint8_t>(suffix[more]) > static_cast<uint8_t>(rest[more])) {
        return false;
      }
      matched += more;
    }
    return false;
  }

  std::unique_ptr<TermIterator> Iterate() const override {
    return std::make_unique<BlockTermIterator>(dictionary_);
  }
  std::unique_ptr<Postings> OpenPostings(const TermEntry& entry) const override {
    if (entry.single != kNoMoreDocs && dictionary_.options == IndexOptions::kDocs) {
      return NewSinglePosting(entry.single);
    }
    return ReadPostings(OpenBlocks(entry));
  }
  bool Blocks(const TermEntry& entry, PostingBlocks& blocks) const override {
    blocks = OpenBlocks(entry);
    return true;
  }
  std::shared_ptr<const BlockBounds> Bounds(const TermEntry& entry, const PostingBlocks& blocks,
                                            const NormFactors& factors) const override {
    if (blocks.count() < 2) return nullptr;
    return bounds_.Get(entry.postings_offset, blocks, factors);
  }
  std::shared_ptr<const DenseBits> Bits(const TermEntry& entry,
                                        const PostingBlocks& blocks) const override {
    return bits_.Get(entry.postings_offset, blocks, dictionary_.max_doc);
  }
  uint64_t heap_bytes() const override { return bounds_.memory() + bits_.memory(); }

 private:
  PostingBlocks OpenBlocks(const TermEntry& entry) const {
    return PostingBlocks(dictionary_.postings, dictionary_.options, dictionary_.max_doc, entry);
  }
  static bool Damaged(TermEntry& entry) {
    entry = {};
    entry.doc_freq = 1;
    entry.total_term_freq = 1;
    entry.postings_offset = kDamagedPostings;
    return true;
  }

  const FieldDictionary dictionary_;
  mutable BlockBoundsCache bounds_;
  mutable DenseBitsCache bits_;
};

// More occurrences than documents: as many as 64-bit sums over all terms can bear.
constexpr uint64_t kMostMore = uint64_t{1} << 48;

}  // namespace

uint32_t FieldDictionary::TermsIn(uint64_t block) const {
  return static_cast<uint32_t>(block + 1 < block_count() ? kTermBlock
                                                         : term_count - block * kTermBlock);
}

std::string_view FieldDictionary::FirstTerm(uint64_t block) const {
  const uint64_t start = block == 0 ? 0 : first_term_ends[block - 1];
  const uint64_t end = first_term_ends[block];
  if (start > end || end > first_terms.size()) return {};
  return first_terms.substr(start, end - start);
}

uint64_t FieldDictionary::BlockFor(std::string_view term) const {
  const uint64_t prefix = TermPrefix(term);
  // The first block whose prefix is not smaller, without branches: they could not be foretold.
  const uint64_t* low_at = prefixes.data();
  for (uint64_t size = block_count(); size > 0;) {
    const uint64_t half = (size + 1) / 2;
    low_at += low_at[half - 1] < prefix ? half : 0;
    size -= half;
  }
  auto low = static_cast<uint64_t>(low_at - prefixes.data());
  uint64_t high = low;
  if (low < block_count() && prefixes[low] == prefix) {
    high = static_cast<uint64_t>(
        std::upper_bound(prefixes.begin() + static_cast<ptrdiff_t>(low), prefixes.end(), prefix) -
        prefixes.begin());
  }
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (FirstTerm(middle) <= term) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low == 0 ? block_count() : low - 1;
}

std::string_view FieldDictionary::BlockBytes(uint64_t block) const {
  const uint64_t offset = block_offsets[block];
  return offset <= file.size() ? file.substr(offset) : std::string_view();
}

bool FieldDictionary::ReadEntry(ByteReader& in, TermEntry& entry) const {
  const uint64_t doc_freq = in.Varint();
  const uint64_t more = options >= IndexOptions::kFreqs ? in.Varint() : 0;
  entry.doc_freq = static_cast<uint32_t>(doc_freq);
  entry.total_term_freq = doc_freq + more;
  const uint64_t single = doc_freq == 1 ? in.Varint() : kNoMoreDocs;
  entry.single = static_cast<DocId>(single);
  if (HasPostings(options, entry.doc_freq)) entry.postings_offset += in.Varint();
  return !in.failed() && doc_freq > 0 && doc_freq <= max_doc &&
         (doc_freq > 1 || single < max_doc) && entry.total_term_freq - doc_freq <= kMostMore;
}

absl::StatusOr<FieldDictionary> ReadFieldDictionary(const store::CheckedFile& file, ByteReader& in,
                                                    std::string_view postings, DocId max_doc) {
  FieldDictionary field;
  field.file = file.bytes();
  field.postings = postings;
  field.max_doc = max_doc;
  field.name = in.String();
  const uint8_t options = in.Byte();
  const uint64_t doc_count = in.Varint();
  field.stats.sum_doc_freq = in.Varint();
  field.stats.sum_total_term_freq = in.Varint();
  field.term_count = in.Varint();
  const uint64_t block_offsets = in.Varint();
  const uint64_t prefixes = in.Varint();
  const uint64_t first_term_ends = in.Varint();
  const uint64_t first_terms = in.Varint();
  const uint64_t first_terms_size = in.Varint();
  const uint64_t filter_words = in.Varint();
  const uint64_t filter = filter_words > 0 ? in.Varint() : 0;
  if (in.failed()) return Corruption(file.name() + ": the table of contents is damaged");
  if (options < static_cast<uint8_t>(IndexOptions::kDocs) ||
      options > static_cast<uint8_t>(IndexOptions::kPositions) || doc_count == 0 ||
      doc_count > max_doc || field.term_count == 0) {
    return Corruption(
        fmt::format("{}: field [{}] has impossible counts", file.name(), Clip(field.name)));
  }
  field.options = static_cast<IndexOptions>(options);
  field.stats.doc_count = static_cast<uint32_t>(doc_count);
  const uint64_t blocks = (field.term_count - 1) / kTermBlock + 1;
  CURLEW_ASSIGN_OR_RETURN(field.block_offsets, MappedArray<uint64_t>(file, block_offsets, blocks));
  CURLEW_ASSIGN_OR_RETURN(field.prefixes, MappedArray<uint64_t>(file, prefixes, blocks));
  CURLEW_ASSIGN_OR_RETURN(field.first_term_ends,
                          MappedArray<uint64_t>(file, first_term_ends, blocks));
  CURLEW_ASSIGN_OR_RETURN(field.first_terms, MappedBytes(file, first_terms, first_terms_size));
  if (filter_words > 0) {
    CURLEW_ASSIGN_OR_RETURN(const auto words, MappedArray<uint64_t>(file, filter, filter_words));
    field.filter = TermFilter(words);
  }
  return field;
}

std::unique_ptr<FieldTerms> NewFieldTerms(FieldDictionary dictionary) {
  return std::make_unique<BlockFieldTerms>(std::move(dictionary));
}

}  // namespace curlew::codec
