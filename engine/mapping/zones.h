// Time zones by the names that Java takes.
#ifndef CURLEW_ENGINE_MAPPING_ZONES_H_
#define CURLEW_ENGINE_MAPPING_ZONES_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "absl/status/statusor.h"

namespace curlew::mapping {

// A time zone: a fixed distance from UTC, or rules by place. Immutable, cheap to copy, thread-safe.
class Zone {
 public:
  // UTC.
  Zone() = default;

  // "" and "Z" = UTC; +h, +hh, +hh:mm, +hhmm, +hh:mm:ss; the same behind UTC, GMT or UT; IANA
  // names. The three-letter abbreviations that Java refuses are refused.
  // illegal_argument_exception.
  static absl::StatusOr<Zone> Find(std::string_view name);

  // Milliseconds that local time is ahead of UTC at the moment `utc_millis`.
  int64_t OffsetAt(int64_t utc_millis) const;
  // The moment at which clocks show `local_millis` (as milliseconds since 1970 of a clock in UTC):
  // the earlier one if they do so twice; if never, the time moves on by the gap.
  int64_t ToUtc(int64_t local_millis) const;

 private:
  struct Rules;

  int64_t fixed_ = 0;
  std::shared_ptr<const Rules> rules_;
};

}  // namespace curlew::mapping

#endif  // CURLEW_ENGINE_MAPPING_ZONES_H_
