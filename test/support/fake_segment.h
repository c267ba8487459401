// Segments held in plain maps, made from a list of documents: what query evaluation is tested
// over, and, walked document by document, what its answers are compared with.
#ifndef CURLEW_TEST_SUPPORT_FAKE_SEGMENT_H_
#define CURLEW_TEST_SUPPORT_FAKE_SEGMENT_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/index/snapshot.h"
#include "engine/mapping/mapping.h"

namespace curlew::test {

// A document as the index sees it. Numbers are column values, booleans 0 and 1.
struct FakeDocument {
  std::string id;
  std::string source = "{}";
  std::map<std::string, std::vector<std::string>> text;  // tokens, one a position
  std::map<std::string, std::vector<std::string>> keywords;
  std::map<std::string, std::vector<int64_t>> numbers;
  bool deleted = false;
};

// `mapping` says which structures each field has. A snapshot of one segment a list, with live docs
// where something is deleted. _seq_no counts through all documents; _version and _primary_term
// are 1.
std::shared_ptr<const index::Snapshot> MakeFakeSnapshot(
    const std::vector<std::vector<FakeDocument>>& segments, const mapping::Mapping& mapping);

}  // namespace curlew::test

#endif  // CURLEW_TEST_SUPPORT_FAKE_SEGMENT_H_
