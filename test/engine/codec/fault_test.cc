// An I/O error anywhere while a segment is written comes out at the latest when it is finished.
#include <catch2/catch.hpp>
#include <string>

#include "engine/store/fault_directory.h"
#include "engine/store/memory_directory.h"
#include "test/engine/codec/sample_segment.h"
#include "test/engine/codec/stored_documents.h"
#include "test/support/random.h"

namespace curlew::codec {
namespace {

TEST_CASE("whichever operation fails, writing the segment fails") {
  for (const char* codec : kStoredCodecs) {
    // The same segment each time.
    const auto write = [&](store::Directory& directory) {
      test::Random random(7);
      return WriteSampleSegment(directory, "_0", 200, codec, random);
    };
    auto plan = std::make_shared<store::FaultPlan>();
    REQUIRE(write(*store::NewFaultDirectory(store::NewMemoryDirectory(), plan)).ok());
    const int64_t operations = plan->operations;
    REQUIRE(operations > 10);
    for (int64_t n = 1; n <= operations; ++n) {
      auto faulty = std::make_shared<store::FaultPlan>();
      faulty->fail_at = n;
      faulty->no_space = n % 2 == 0;
      const absl::Status status =
          write(*store::NewFaultDirectory(store::NewMemoryDirectory(), faulty));
      INFO("operation " << n);
      REQUIRE_FALSE(status.ok());
    }
  }
}

}  // namespace
}  // namespace curlew::codec
