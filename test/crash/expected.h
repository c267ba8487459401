// What one client of a crash test has asked for, and whether what a restart finds is a state that
// may come of it.
#ifndef CURLEW_TEST_CRASH_EXPECTED_H_
#define CURLEW_TEST_CRASH_EXPECTED_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace curlew::test {

// Flat documents: keys in order, values as JSON. Numbers are -1 where nobody has said them.
struct CrashDocument {
  std::vector<std::pair<std::string, std::string>> members;
  int64_t version = -1;
  int64_t seq_no = -1;

  void Set(const std::string& key, const std::string& value) {
    for (auto& [known, old] : members) {
      if (known == key) {
        old = value;
        return;
      }
    }
    members.emplace_back(key, value);
  }
  std::string Source() const {
    std::string source = "{";
    for (const auto& [key, value] : members) {
      if (source.size() > 1) source += ',';
      source += "\"" + key + "\":" + value;
    }
    return source + "}";
  }
};

struct FoundDocument {
  std::string source;
  int64_t version = -1;
  int64_t seq_no = -1;
};

// The client's ids are its own, so that its changes happen in their order. A restart may find the
// state after any number of them that is not below `acknowledged`.
class Expected {
 public:
  // The document as it is now, changes that nobody has acknowledged included; null when there is
  // none.
  const CrashDocument* Now(const std::string& id) const {
    const auto it = tip_.find(id);
    return it == tip_.end() ? nullptr : &it->second;
  }
  // nullopt = deleted.
  void Announce(const std::string& id, std::optional<CrashDocument> document) {
    Apply(tip_, id, document);
    changes_.push_back({id, std::move(document)});
  }
  // The next change that has not been resolved got these numbers.
  void Resolve(int64_t version, int64_t seq_no) {
    Change& change = changes_.at(resolved_++);
    if (!change.document.has_value()) return;
    change.document->version = version;
    change.document->seq_no = seq_no;
  }
  // Everything announced so far is durable.
  void Acknowledge() { acknowledged_ = changes_.size(); }

  size_t acknowledged() const { return acknowledged_; }
  size_t announced() const { return changes_.size(); }

  // How `found` differs from the state that it is nearest to; for people.
  std::string Explain(const std::map<std::string, FoundDocument>& found) const {
    State state = base_;
    std::vector<std::string> nearest;
    size_t at = 0;
    for (size_t done = 0;; ++done) {
      if (done >= acknowledged_) {
        std::vector<std::string> differences = Differences(state, found);
        if (done == acknowledged_ || differences.size() < nearest.size()) {
          nearest = std::move(differences);
          at = done;
        }
      }
      if (done == changes_.size()) break;
      Apply(state, changes_[done].id, changes_[done].document);
    }
    std::string text = "nearest after change " + std::to_string(at) + ":";
    for (const std::string& difference : nearest) text += "\n  " + difference;
    text += "\nchanges of these ids:";
    for (size_t i = 0; i < changes_.size(); ++i) {
      const Change& change = changes_[i];
      for (const std::string& difference : nearest) {
        if (difference.compare(0, change.id.size() + 1, change.id + ":") != 0) continue;
        text += "\n  " + std::to_string(i) + " " + change.id + " ";
        text += change.document.has_value() ? Describe(*change.document) : "deleted";
      }
    }
    return text;
  }

  // Whether `found` may be; if so it is where the next round begins.
  bool Matches(const std::map<std::string, FoundDocument>& found) {
    State state = base_;
    for (size_t done = 0;; ++done) {
      if (done >= acknowledged_ && Same(state, found)) break;
      if (done == changes_.size()) return false;
      Apply(state, changes_[done].id, changes_[done].document);
    }
    for (auto& [id, document] : state) {
      document.version = found.at(id).version;
      document.seq_no = found.at(id).seq_no;
    }
    base_ = state;
    tip_ = std::move(state);
    changes_.clear();
    resolved_ = 0;
    acknowledged_ = 0;
    return true;
  }

 private:
  using State = std::map<std::string, CrashDocument>;
  struct Change {
    std::string id;
    std::optional<CrashDocument> document;
  };

  static void Apply(State& state, const std::string& id,
                    const std::optional<CrashDocument>& document) {
    if (document.has_value()) {
      state[id] = *document;
    } else {
      state.erase(id);
    }
  }
  static std::string Describe(const CrashDocument& document) {
    return document.Source() + " version " + std::to_string(document.version) + " seq_no " +
           std::to_string(document.seq_no);
  }
  static std::vector<std::string> Differences(const State& state,
                                              const std::map<std::string, FoundDocument>& found) {
    std::vector<std::string> differences;
    for (const auto& [id, document] : state) {
      const auto it = found.find(id);
      if (it == found.end()) {
        differences.push_back(id + ": missing, should be " + Describe(document));
        continue;
      }
      const FoundDocument& other = it->second;
      if (Same({{id, document}}, {{id, other}})) continue;
      differences.push_back(id + ": " + other.source + " version " + std::to_string(other.version) +
                            " seq_no " + std::to_string(other.seq_no) + ", should be " +
                            Describe(document));
    }
    for (const auto& [id, other] : found) {
      if (state.count(id) == 0) differences.push_back(id + ": there, should not be");
    }
    return differences;
  }
  static bool Same(const State& state, const std::map<std::string, FoundDocument>& found) {
    if (state.size() != found.size()) return false;
    auto it = found.begin();
    for (const auto& [id, document] : state) {
      const auto& [found_id, other] = *it++;
      if (id != found_id || (document.version >= 0 && document.version != other.version) ||
          (document.seq_no >= 0 && document.seq_no != other.seq_no) ||
          document.Source() != other.source) {
        return false;
      }
    }
    return true;
  }

  State base_;
  State tip_;
  std::vector<Change> changes_;
  size_t resolved_ = 0;
  size_t acknowledged_ = 0;
};

}  // namespace curlew::test

#endif  // CURLEW_TEST_CRASH_EXPECTED_H_
