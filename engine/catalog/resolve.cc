#include "engine/catalog/resolve.h"

#include <algorithm>

#include "engine/util/error.h"

namespace curlew::catalog {
namespace {

std::vector<std::string_view> SplitLists(const std::vector<std::string>& names) {
  std::vector<std::string_view> parts;
  for (const std::string& name : names) {
    std::string_view rest = name;
    for (size_t comma; (comma = rest.find(',')) != std::string_view::npos;) {
      if (comma > 0) parts.push_back(rest.substr(0, comma));
      rest.remove_prefix(comma + 1);
    }
    // A list's empty parts count for nothing; an empty name by itself is one that does not exist.
    if (!rest.empty() || name.empty()) parts.push_back(rest);
  }
  return parts;
}

}  // namespace

bool MatchesPattern(std::string_view pattern, std::string_view name) {
  // Greedy with one step back to the last star: linear in practice, quadratic at worst.
  size_t p = 0, n = 0, star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool HasPattern(const std::vector<std::string>& names) {
  const std::vector<std::string_view> parts = SplitLists(names);
  return parts.empty() || std::any_of(parts.begin(), parts.end(), [](std::string_view part) {
           return part == "_all" || part.find('*') != std::string_view::npos;
         });
}

absl::StatusOr<std::set<std::string>> ResolveNames(
    const std::vector<std::string>& names, const std::set<std::string, std::less<>>& existing,
    const ResolveOptions& options) {
  std::set<std::string> found;
  bool wildcard_seen = false;
  std::vector<std::string_view> parts = SplitLists(names);
  if (parts.empty()) parts.push_back("*");
  for (std::string_view part : parts) {
    if (part == "_all") part = "*";
    const bool exclude = wildcard_seen && part.starts_with('-');
    if (exclude) part.remove_prefix(1);
    if (part.find('*') != std::string_view::npos) {
      wildcard_seen = true;
      if (exclude) {
        std::erase_if(found, [&](const std::string& n) { return MatchesPattern(part, n); });
        continue;
      }
      size_t matches = 0;
      if (options.expand_wildcards_open) {
        for (const std::string& name : existing) {
          if (!MatchesPattern(part, name)) continue;
          found.insert(name);
          ++matches;
        }
      }
      if (matches == 0 && !options.allow_no_indices) return IndexNotFound(part);
    } else if (exclude) {
      found.erase(std::string(part));
    } else if (existing.contains(part)) {
      found.emplace(part);
    } else if (!options.ignore_unavailable) {
      return IndexNotFound(part);
    }
  }
  if (found.empty() && !options.allow_no_indices) {
    return IndexNotFound(names.empty() ? std::string_view("_all") : parts.front());
  }
  return found;
}

}  // namespace curlew::catalog
