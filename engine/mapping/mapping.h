// An index's mapping at one moment: the tree of objects and fields, and fields by path.
#ifndef CURLEW_ENGINE_MAPPING_MAPPING_H_
#define CURLEW_ENGINE_MAPPING_MAPPING_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/analysis/registry.h"
#include "engine/mapping/field.h"

namespace curlew::mapping {

// `dynamic` of an object: what happens to fields that are not mapped.
enum class Dynamic : uint8_t { kTrue, kFalse, kStrict };

// Limits on a mapping; defaults are OpenSearch's (index.mapping.*).
struct MappingLimits {
  int total_fields = 1000;
  int depth = 20;
  int field_name_length = 50000;
};

// Immutable, shared by reference count: a document or a query holds one while it works.
// Thread-safe.
class Mapping {
 public:
  // An empty mapping with dynamic = true.
  static std::shared_ptr<const Mapping> Empty();
  // From the JSON of a create-index body's "mappings" ("" and "{}" = empty). Errors name the field.
  static absl::StatusOr<std::shared_ptr<const Mapping>> Parse(
      std::string_view json, const analysis::AnalyzerRegistry& analyzers,
      const MappingLimits& limits);

  virtual ~Mapping() = default;

  // `base` with the fields of `update_json` (same form) merged in by OpenSearch's rules: new fields
  // and parameters that may change are taken, a change of type or of a fixed parameter is an
  // illegal_argument_exception naming the field and both values.
  virtual absl::StatusOr<std::shared_ptr<const Mapping>> Merge(
      std::string_view update_json, const analysis::AnalyzerRegistry& analyzers,
      const MappingLimits& limits) const = 0;

  // The JSON that GET /index/_mapping shows (keys sorted, defaults left out).
  virtual std::string ToJson() const = 0;

  // The field of that full path (multi-fields and metadata fields included); null when unmapped or
  // an object.
  virtual const MappedField* Find(std::string_view path) const = 0;
  virtual bool IsObject(std::string_view path) const = 0;
  // All fields (multi-fields included, metadata fields not), in order of path.
  virtual const std::vector<const MappedField*>& fields() const = 0;
};

// Holds an index's current mapping and changes it one update at a time. Thread-safe.
class MapperService {
 public:
  // Called with the new JSON before a change becomes visible; must make it durable.
  using Persist = std::function<absl::Status(const std::string& mapping_json)>;

  MapperService(std::shared_ptr<const Mapping> mapping, MappingLimits limits,
                const analysis::AnalyzerRegistry& analyzers, Persist persist);
  ~MapperService();

  std::shared_ptr<const Mapping> current() const;
  // Merges, persists, publishes.
  absl::Status Update(std::string_view update_json);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace curlew::mapping

#endif  // CURLEW_ENGINE_MAPPING_MAPPING_H_
