// Versions, sequence numbers, conflicts and results, as recorded from OpenSearch.
#include "test/engine/index/shard_fixture.h"

namespace curlew::index {
namespace {

struct Fixture {
  ShardWorld world;
  std::shared_ptr<store::Directory> directory = store::NewMemoryDirectory();
  std::unique_ptr<Shard> shard = world.Open(directory);

  // "created 1/0": kind, version, sequence number; or the exception's type and reason.
  std::string Do(const Operation& operation) {
    static constexpr std::string_view kKinds[] = {"created", "updated", "deleted", "not_found",
                                                  "noop"};
    const OperationResult result = ApplyOne(*shard, operation);
    if (!result.status.ok()) {
      const ErrorDetails details = DescribeError(result.status);
      return details.type + " " + std::to_string(details.rest_status) + ": " + details.reason;
    }
    return std::string(kKinds[static_cast<int>(result.kind)]) + " " +
           std::to_string(result.version) + "/" + std::to_string(result.seq_no);
  }
  std::string Index(std::string_view id) { return Do(IndexOp(id, R"({"n":1})")); }
  std::string Delete(std::string_view id) { return Do(DeleteOp(id)); }
  // Every look-up has to work in the buffer and in segments.
  void MaybeRefresh(bool refresh) {
    if (refresh) REQUIRE(shard->Refresh().ok());
  }
};

Operation Versioned(Operation operation, int64_t version, VersionType type) {
  operation.version = version;
  operation.version_type = type;
  return operation;
}

Operation Conditional(Operation operation, int64_t seq_no, int64_t term) {
  operation.if_seq_no = seq_no;
  operation.if_primary_term = term;
  return operation;
}

TEST_CASE("versions and sequence numbers count on") {
  const bool refresh = GENERATE(false, true);
  Fixture f;
  CHECK(f.Index("a") == "created 1/0");
  f.MaybeRefresh(refresh);
  CHECK(f.Index("a") == "updated 2/1");
  f.MaybeRefresh(refresh);
  CHECK(f.Delete("a") == "deleted 3/2");
  f.MaybeRefresh(refresh);
  CHECK(f.Index("a") == "created 4/3");
  CHECK(f.Delete("zz") == "not_found 1/4");
  f.MaybeRefresh(refresh);
  CHECK(f.Delete("zz") == "not_found 2/5");
  CHECK(f.Do(CreateOp("zz", "{}")) == "created 3/6");
  f.MaybeRefresh(refresh);
  CHECK(f.Do(CreateOp("zz", "{}")) ==
        "version_conflict_engine_exception 409: [zz]: version conflict, document already exists "
        "(current version [3])");
  // A conflict takes no number, a bad document neither.
  CHECK(
      f.Do(IndexOp("bad", R"({"n":"not a number"})")).starts_with("mapper_parsing_exception 400"));
  CHECK(f.Index("b") == "created 1/7");
}

TEST_CASE("external versions") {
  const bool refresh = GENERATE(false, true);
  Fixture f;
  auto external = [&](int64_t version, VersionType type = VersionType::kExternal) {
    return f.Do(Versioned(IndexOp("e", R"({"n":1})"), version, type));
  };
  CHECK(external(5) == "created 5/0");
  f.MaybeRefresh(refresh);
  CHECK(external(4) ==
        "version_conflict_engine_exception 409: [e]: version conflict, current version [5] is "
        "higher or equal to the one provided [4]");
  CHECK(external(5).starts_with("version_conflict_engine_exception"));
  CHECK(external(6) == "updated 6/1");
  f.MaybeRefresh(refresh);
  CHECK(f.Index("e") == "updated 7/2");
  CHECK(external(7, VersionType::kExternalGte) == "updated 7/3");
  CHECK(external(6, VersionType::kExternalGte) ==
        "version_conflict_engine_exception 409: [e]: version conflict, current version [7] is "
        "higher than the one provided [6]");
  // A tombstone has a version too.
  CHECK(f.Do(Versioned(DeleteOp("e"), 10, VersionType::kExternal)) == "deleted 10/4");
  f.MaybeRefresh(refresh);
  CHECK(external(9).starts_with("version_conflict_engine_exception"));
  CHECK(external(11) == "created 11/5");
  CHECK(f.Do(Versioned(DeleteOp("none"), 10, VersionType::kExternal)) == "not_found 10/6");
  CHECK(f.Do(Versioned(IndexOp("zero", "{}"), 0, VersionType::kExternal)) == "created 0/7");
  CHECK(f.Do(Versioned(IndexOp("max", "{}"), INT64_MAX, VersionType::kExternal)) ==
        "created 9223372036854775807/8");
  CHECK(f.Index("max") == "updated -9223372036854775808/9");
}

TEST_CASE("conditions on sequence number and primary term") {
  const bool refresh = GENERATE(false, true);
  Fixture f;
  f.Index("1");
  f.Index("2");
  f.MaybeRefresh(refresh);
  CHECK(f.Do(Conditional(IndexOp("1", "{}"), 0, 1)) == "updated 2/2");
  f.MaybeRefresh(refresh);
  CHECK(f.Do(Conditional(IndexOp("1", "{}"), 0, 1)) ==
        "version_conflict_engine_exception 409: [1]: version conflict, required seqNo [0], primary "
        "term [1]. current document has seqNo [2] and primary term [1]");
  CHECK(f.Do(Conditional(IndexOp("1", "{}"), 2, 2)).starts_with("version_conflict"));
  CHECK(f.Do(Conditional(IndexOp("miss", "{}"), 0, 1)) ==
        "version_conflict_engine_exception 409: [miss]: version conflict, required seqNo [0], "
        "primary term [1]. but no document was found");
  CHECK(f.Do(Conditional(DeleteOp("2"), 0, 1)).starts_with("version_conflict"));
  CHECK(f.Do(Conditional(DeleteOp("2"), 1, 1)) == "deleted 2/3");
  f.MaybeRefresh(refresh);
  // A tombstone's number does not satisfy a condition.
  CHECK(f.Do(Conditional(IndexOp("2", "{}"), 3, 1)) ==
        "version_conflict_engine_exception 409: [2]: version conflict, required seqNo [3], primary "
        "term [1]. but no document was found");
  CHECK(f.Do(Conditional(DeleteOp("2"), 3, 1)).starts_with("version_conflict"));
  // A generated id cannot be in conflict.
  Operation generated = Conditional(IndexOp("new", "{}"), 5, 1);
  generated.auto_id = true;
  CHECK(f.Do(generated) == "created 1/4");
  // Updates.
  CHECK(f.Do(Conditional(UpdateOp("1", R"({"n":3})"), 9, 1)).starts_with("version_conflict"));
  CHECK(f.Do(Conditional(UpdateOp("1", R"({"n":3})"), 2, 1)) == "updated 3/5");
}

TEST_CASE("updates") {
  const bool refresh = GENERATE(false, true);
  Fixture f;
  f.Do(IndexOp("a", R"({"n": 10, "k": "ten"})"));
  f.MaybeRefresh(refresh);
  CHECK(f.Do(UpdateOp("a", R"({"k":"TEN","x":{"y":1}})")) == "updated 2/1");
  f.MaybeRefresh(refresh);
  CHECK(f.shard->Get("a")->source == R"({"n":10,"k":"TEN","x":{"y":1}})");
  CHECK(f.Do(UpdateOp("a", R"({"k":"TEN"})")) == "noop 2/1");
  CHECK(f.Do(UpdateOp("nope", R"({"k":"?"})")) ==
        "document_missing_exception 404: [nope]: document missing");
  Operation upsert = UpdateOp("u1", R"({"n":5})");
  upsert.upsert = R"({"n": 50})";
  CHECK(f.Do(upsert) == "created 1/2");
  CHECK(f.shard->Get("u1")->source == R"({"n": 50})");
  Operation as_upsert = UpdateOp("u2", R"({"n":6})");
  as_upsert.doc_as_upsert = true;
  CHECK(f.Do(as_upsert) == "created 1/3");
  CHECK(f.Do(as_upsert) == "noop 1/3");
  Operation forced = UpdateOp("a", R"({"k":"TEN"})");
  forced.detect_noop = false;
  CHECK(f.Do(forced) == "updated 3/4");
  // A merge that the mapping refuses takes no number and changes nothing.
  CHECK(f.Do(UpdateOp("a", R"({"n":"no number"})")).starts_with("mapper_parsing_exception"));
  CHECK(f.Do(UpdateOp("a", "[1]")).starts_with("not_x_content_exception 400"));
  CHECK(f.Do(UpdateOp("a", R"({"n":)")).starts_with("parse_exception 400"));
  Operation broken_upsert = UpdateOp("a", R"({"n":11})");
  broken_upsert.upsert = "{";
  broken_upsert.want_source = true;
  const OperationResult result = ApplyOne(*f.shard, broken_upsert);
  REQUIRE(result.status.ok());
  CHECK(result.seq_no == 5);
  CHECK(result.get_source == R"({"n":11,"k":"TEN","x":{"y":1}})");
  CHECK(f.shard->stats().index_total == 6);
}

TEST_CASE("an update keeps the routing") {
  Fixture f;
  Operation index = IndexOp("r", R"({"n":1})");
  index.routing = "there";
  f.Do(index);
  f.Do(UpdateOp("r", R"({"n":2})"));
  CHECK(f.shard->Get("r")->routing == "there");
  REQUIRE(f.shard->Refresh().ok());
  f.Do(UpdateOp("r", R"({"n":3})"));
  CHECK(f.shard->Get("r")->routing == "there");
}

TEST_CASE("operations of one call are applied in order") {
  Fixture f;
  const Operation operations[] = {IndexOp("s", R"({"n":90})"), UpdateOp("s", R"({"m":1})"),
                                  DeleteOp("s"), IndexOp("s", R"({"n":91})")};
  OperationResult results[4];
  const ApplyOutcome outcome = f.shard->Apply(operations, results);
  CHECK(outcome.wrote);
  for (int i = 0; i < 4; ++i) {
    CHECK(results[i].version == i + 1);
    CHECK(results[i].seq_no == i);
  }
  CHECK(results[2].kind == ResultKind::kDeleted);
  CHECK(results[3].kind == ResultKind::kCreated);
  CHECK(f.shard->WaitDurable(outcome.ticket).ok());
}

TEST_CASE("a term that is too long spends a sequence number and leaves nothing") {
  Fixture f;
  REQUIRE(f.world.mapper->Update(R"({"properties":{"whole":{"type":"text","analyzer":"keyword"}}})")
              .ok());
  const std::string good = R"({"whole":")" + std::string(32766, 'z') + R"("})";
  const std::string bad = R"({"whole":")" + std::string(32767, 'z') + R"("})";
  CHECK(f.Do(IndexOp("good", good)) == "created 1/0");
  CHECK(f.Do(IndexOp("bad", bad)).starts_with("illegal_argument_exception 400"));
  CHECK(f.Index("next") == "created 1/2");
  CHECK(!f.shard->Get("bad")->found);
  REQUIRE(f.shard->Close(false).ok());
  f.shard = f.world.Open(f.directory);
  CHECK(f.shard->stats().max_seq_no == 2);
  CHECK(f.shard->stats().local_checkpoint == 2);
  CHECK(f.shard->stats().docs_count == 2);
}

TEST_CASE("a keyword that is too long is found out as late as any other term") {
  Fixture f;
  REQUIRE(f.world.mapper
              ->Update(R"({"properties":{"whole":{"type":"keyword"},
                          "column":{"type":"keyword","index":false},
                          "short":{"type":"keyword","ignore_above":10}}})")
              .ok());
  const auto document = [](const char* field, size_t size) {
    return "{\"" + std::string(field) + "\":\"" + std::string(size, 'z') + "\"}";
  };
  CHECK(f.Do(IndexOp("1", document("whole", 32766))) == "created 1/0");
  CHECK(f.Do(IndexOp("2", document("whole", 32767))).starts_with("illegal_argument_exception 400"));
  CHECK(f.Do(IndexOp("3", document("short", 32767))) == "created 1/2");
  CHECK(
      f.Do(IndexOp("4", document("column", 32767))).starts_with("illegal_argument_exception 400"));
  CHECK(f.Do(IndexOp("5", "{}")) == "created 1/4");
}

TEST_CASE("what is overwritten in the buffer counts in the statistics until it is merged away") {
  Fixture f;
  f.Do(IndexOp("1", R"({"k":"x"})"));
  f.Do(IndexOp("1", R"({"k":"x"})"));
  REQUIRE(f.shard->Refresh().ok());
  REQUIRE(f.shard->snapshot()->segments.size() == 1);
  codec::TermEntry entry;
  REQUIRE(f.shard->snapshot()->segments[0].reader->Terms("k")->Find("x", entry));
  CHECK(entry.doc_freq == 2);
  CHECK(CountTerm(*f.shard, "k", "x") == 1);
  CHECK(f.shard->stats().docs_count == 1);
  CHECK(f.shard->stats().docs_deleted == 1);
}

TEST_CASE("fields that a document brings along are mapped, also again at replay") {
  Fixture f;
  CHECK(f.Do(IndexOp("1", R"({"fresh":{"deep":3}})")) == "created 1/0");
  CHECK(f.world.mapper->current()->Find("fresh.deep") != nullptr);
  REQUIRE(f.shard->Close(false).ok());
  f.world.mapping = kTestMapping;  // as if the catalog had lost it
  f.shard = f.world.Open(f.directory);
  CHECK(f.world.mapper->current()->Find("fresh.deep") != nullptr);
  CHECK(f.shard->snapshot()->segments[0].reader->Numeric("fresh.deep") != nullptr);
}

TEST_CASE("arrays of text leave a gap between their values") {
  Fixture f;
  f.Do(IndexOp("1", R"({"t":["a b","c"]})"));
  REQUIRE(f.shard->Refresh().ok());
  const codec::FieldTerms* terms = f.shard->snapshot()->segments[0].reader->Terms("t");
  auto positions = [&](std::string_view term) {
    codec::TermEntry entry;
    REQUIRE(terms->Find(term, entry));
    const auto postings = terms->OpenPostings(entry);
    REQUIRE(postings->Next() == 0);
    return std::vector<uint32_t>(postings->positions().begin(), postings->positions().end());
  };
  CHECK(positions("a") == std::vector<uint32_t>{0});
  CHECK(positions("b") == std::vector<uint32_t>{1});
  CHECK(positions("c") == std::vector<uint32_t>{102});
  CHECK(terms->stats().doc_count == 1);
  CHECK(terms->stats().sum_total_term_freq == 3);
}

}  // namespace
}  // namespace curlew::index
