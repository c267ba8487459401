// The two models of the hit sink say the same, byte for byte.
#include <catch2/catch.hpp>

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <cmath>
#include <string>
#include <vector>

#include "proto_utils/response/hit_converter.h"
#include "proto_utils/response/message_hit_sink.h"
#include "proto_utils/response/wire_hit_sink.h"
#include "protos/opensearch/hits.pb.h"
#include "test/proto_utils/random_hit.h"

namespace curlew {
namespace {

using org::opensearch::protobufs::HitsMetadataHitsInner;

std::string ByWire(const search::Hit& hit) {
  proto_utils::WireHitSize size;
  proto_utils::FillHit(hit, size);
  // A fence behind it: a writer that goes too far is found out.
  std::string bytes(size.size() + 16, '\x7e');
  proto_utils::WireHitSink sink(bytes.data());
  proto_utils::FillHit(hit, sink);
  REQUIRE(sink.end() == bytes.data() + size.size());
  REQUIRE(bytes.substr(size.size()) == std::string(16, '\x7e'));
  bytes.resize(size.size());
  return bytes;
}

std::string ByMessage(const search::Hit& hit) {
  HitsMetadataHitsInner message;
  proto_utils::MessageHitSink sink(message);
  proto_utils::FillHit(hit, sink);
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  REQUIRE(message.SerializeToCodedStream(&coded));
  coded.Trim();
  return bytes;
}

TEST_CASE("random hits come out equal from message and wire writer") {
  test::Random random;
  CAPTURE(random.seed());
  for (int i = 0; i < 3000; ++i) {
    test::OwnedHit hit;
    test::MakeHit(random, hit);
    CAPTURE(i);
    const bool equal = ByWire(hit.hit) == ByMessage(hit.hit);
    REQUIRE(equal);
  }
}

// Each field alone with every value that changes the encoding.
TEST_CASE("hits at the borders of the encoding") {
  search::Hit hit;
  hit.index = "i";
  hit.id = "d";
  const auto check = [&hit] {
    const bool equal = ByWire(hit) == ByMessage(hit);
    CHECK(equal);
  };
  check();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (double score : {0.0, -0.0, 1.5, kInfinity, -kInfinity, std::nan("")}) {
    hit.score = score;
    check();
    HitsMetadataHitsInner message;
    message.ParseFromString(ByWire(hit));
    CHECK(message.x_score().has_double_() == (score >= 0));
    CHECK(message.x_score().has_null_value() == !(score >= 0));
  }
  for (int shift = 0; shift < 64; ++shift) {
    for (int64_t delta : {-1, 0, 1}) {
      const auto number =
          static_cast<int64_t>((uint64_t{1} << shift) + static_cast<uint64_t>(delta));
      hit.version = hit.seq_no = hit.primary_term = number;
      const std::vector<search::SortValue> sort = {static_cast<int32_t>(number), number,
                                                   static_cast<uint64_t>(number)};
      hit.sort = sort;
      check();
    }
  }
  hit.sort = {};
  for (size_t size : {0, 1, 127, 128, 16383, 16384, 2097151, 2097152}) {
    CAPTURE(size);
    const std::string text(size, 'x');
    hit.source = text;
    hit.routing = text;
    const std::vector<search::SortValue> sort = {text};
    hit.sort = sort;
    check();
    hit.sort = {};
  }
}

TEST_CASE("a hit read back") {
  const std::vector<search::SortValue> sort = {
      int32_t{-1}, int64_t{1} << 40, uint64_t{1} << 63, 0.5f,
      0.25,        std::string("s"), std::monostate()};
  search::Hit hit;
  hit.index = "films";
  hit.id = "1";
  hit.routing = "r";
  hit.score = 2.5;
  hit.version = 3;
  hit.seq_no = 0;
  hit.primary_term = 1;
  hit.source = R"({"a":1})";
  hit.sort = sort;
  HitsMetadataHitsInner read;
  REQUIRE(read.ParseFromString(ByWire(hit)));
  CHECK(read.x_index() == "films");
  CHECK(read.x_id() == "1");
  CHECK(read.x_score().double_() == 2.5);
  CHECK(read.x_version() == 3);
  CHECK(read.has_x_seq_no());
  CHECK(read.x_seq_no() == 0);
  CHECK(read.x_primary_term() == 1);
  CHECK(read.x_source() == R"({"a":1})");
  REQUIRE(read.sort_size() == 7);
  CHECK(read.sort(0).general_number().int32_value() == -1);
  CHECK(read.sort(1).general_number().int64_value() == int64_t{1} << 40);
  CHECK(read.sort(2).general_number().uint64_value() == uint64_t{1} << 63);
  CHECK(read.sort(3).general_number().float_value() == 0.5f);
  CHECK(read.sort(4).general_number().double_value() == 0.25);
  CHECK(read.sort(5).string() == "s");
  CHECK(read.sort(6).has_null_value());
  const auto& routing = read.meta_fields().fields().at("_routing");
  REQUIRE(routing.list_value().value_size() == 1);
  CHECK(routing.list_value().value(0).string() == "r");
  CHECK_FALSE(read.has_x_routing());

  search::Hit bare;
  bare.index = "i";
  bare.id = "2";
  REQUIRE(read.ParseFromString(ByWire(bare)));
  CHECK(read.x_score().has_null_value());
  CHECK_FALSE(read.has_x_source());
  CHECK_FALSE(read.has_x_version());
  CHECK_FALSE(read.has_x_seq_no());
  CHECK_FALSE(read.has_meta_fields());
  CHECK(read.sort().empty());
}

}  // namespace
}  // namespace curlew
