#include "engine/search/source_filter.h"

#include <fmt/format.h>

#include <utility>

#include "engine/search/json_cursor.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

// Over what a document may have (1,000), so that only damage runs into it.
constexpr int kMaxDepth = 2048;
// Steps of the patterns between two looks at the cancel flag.
constexpr uint64_t kStepsPerCheck = 1 << 20;

// One document on its way through the patterns.
class Walk {
 public:
  // Where a path stands with both lists. `all`: an include matched, or there are none, so that
  // everything below is wanted unless excluded.
  struct Where {
    bool all;
    PathPatterns::State include;
    PathPatterns::State exclude;
  };

  Walk(const PathPatterns& includes, const PathPatterns& excludes, std::string_view source,
       const CancelToken* cancel, std::string& out)
      : includes_(includes),
        excludes_(excludes),
        cursor_(source),
        out_(out),
        steps_per_byte_((includes.size() + excludes.size()) / 64),
        check_(cancel, kStepsPerCheck) {}

  absl::Status Run(const Where& where) {
    const bool object = cursor_.Peek() == '{';
    if (object) Object(where);
    CURLEW_RETURN_IF_ERROR(check_.status());
    if (object && !cursor_.failed() && cursor_.Peek() == '\0') return absl::OkStatus();
    return Corruption("a stored source is no JSON object");
  }

 private:
  // Each takes a value, appends what is left of it, and returns whether that is anything.
  bool Object(const Where& where) {
    if (++depth_ > kMaxDepth) cursor_.Fail();
    cursor_.Take('{');
    out_.push_back('{');
    bool any = false;
    while (!cursor_.failed() && cursor_.Peek() == '"') {
      const std::string_view quoted = cursor_.String();
      if (!cursor_.Take(':')) cursor_.Fail();
      if (cursor_.failed()) break;
      any = Member(where, quoted, any) || any;
      if (!cursor_.Take(',')) break;
    }
    if (!cursor_.Take('}')) cursor_.Fail();
    out_.push_back('}');
    --depth_;
    return any;
  }

  bool Array(const Where& where) {
    if (++depth_ > kMaxDepth) cursor_.Fail();
    cursor_.Take('[');
    out_.push_back('[');
    bool any = false;
    while (!cursor_.failed() && cursor_.Peek() != ']') {
      const size_t start = out_.size();
      if (any) out_.push_back(',');
      if (Element(where)) {
        any = true;
      } else {
        out_.resize(start);
      }
      if (!cursor_.Take(',')) break;
    }
    if (!cursor_.Take(']')) cursor_.Fail();
    out_.push_back(']');
    --depth_;
    return any;
  }

  bool Element(const Where& where) {
    const char first = cursor_.Peek();
    if (first == '{') return Object(Below(where));
    if (first == '[') return Array(where);
    const std::string_view value = cursor_.Value();
    if (!where.all && !includes_.Matches(where.include)) return false;
    out_.append(value);
    return true;
  }

  // `quoted`: the key; the value comes next.
  bool Member(const Where& above, std::string_view quoted, bool comma) {
    const std::string_view key = UnescapeJson(quoted, key_buffer_);
    if (check_.Stop((key.size() + 1) * steps_per_byte_)) {
      cursor_.Fail();
      return false;
    }
    Where where{above.all, {}, excludes_.Step(above.exclude, key)};
    if (!above.all) where.include = includes_.Step(above.include, key);
    const bool included = where.all || includes_.Matches(where.include);
    if ((!included && where.include.dead()) || excludes_.Matches(where.exclude)) {
      cursor_.Value();
      return false;
    }
    const size_t start = out_.size();
    if (comma) out_.push_back(',');
    out_.append(quoted);
    out_.push_back(':');
    bool keep = included;
    if (included && excludes_.Step(where.exclude, ".").dead()) {
      out_.append(cursor_.Value());
    } else {
      where.all = included;
      const char first = cursor_.Peek();
      if (first == '{') {
        keep = Object(Below(where)) || included;
      } else if (first == '[') {
        keep = Array(where) || included;
      } else {
        const std::string_view value = cursor_.Value();
        if (included) out_.append(value);
      }
    }
    if (!keep) out_.resize(start);
    return keep;
  }

  Where Below(const Where& where) const {
    Where below{where.all, {}, excludes_.Step(where.exclude, ".")};
    if (!where.all) below.include = includes_.Step(where.include, ".");
    return below;
  }

  const PathPatterns& includes_;
  const PathPatterns& excludes_;
  JsonCursor cursor_;
  std::string& out_;
  std::string key_buffer_;
  int depth_ = 0;
  const uint64_t steps_per_byte_;
  PeriodicCheck check_;
};

}  // namespace

SourceFilterer::SourceFilterer(const SourceFilter& filter)
    : includes_(filter.includes),
      excludes_(filter.excludes),
      include_all_(filter.includes.empty()) {}

absl::Status SourceFilterer::Apply(std::string_view source, const CancelToken* cancel,
                                   std::string& out) const {
  Walk walk(includes_, excludes_, source, cancel, out);
  return walk.Run({include_all_, includes_.Start(), excludes_.Start()});
}

absl::Status CheckSourceFilter(const SourceFilter& filter) {
  const auto check = [](const std::vector<std::string>& patterns, const char* name) {
    size_t places = 0;
    for (const std::string& pattern : patterns) places += PathPatterns::Places(pattern);
    if (places <= kMaxPatternPlaces) return absl::OkStatus();
    return IllegalArgument(fmt::format(
        "[{}] of [_source]: {} patterns of {} characters together are too many, at most "
        "{} are allowed, two more counted for each pattern",
        name, patterns.size(), places - 2 * patterns.size(), kMaxPatternPlaces));
  };
  CURLEW_RETURN_IF_ERROR(check(filter.includes, "includes"));
  return check(filter.excludes, "excludes");
}

}  // namespace curlew::search
