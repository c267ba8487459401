#include "engine/index/update_document.h"

#include <bit>
#include <charconv>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "engine/index/json_tree.h"
#include "engine/util/byte_order_mark.h"
#include "engine/util/error.h"
#include "engine/util/text_hash.h"

namespace curlew::index {

namespace {

using Kind = JsonTree::Kind;

bool WholeNumber(std::string_view text) {
  return text.find_first_of(".eE") == std::string_view::npos;
}

// As Java compares what its parser makes of the texts: whole numbers by value, fractions as doubles
// by their bits, and never one with the other.
bool NumbersEqual(std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (WholeNumber(a) != WholeNumber(b)) return false;
  if (WholeNumber(a)) return (a == "0" && b == "-0") || (a == "-0" && b == "0");
  double x = 0;
  double y = 0;
  const auto px = std::from_chars(a.data(), a.data() + a.size(), x);
  const auto py = std::from_chars(b.data(), b.data() + b.size(), y);
  if (px.ec != std::errc() || py.ec != std::errc()) return false;
  return std::bit_cast<uint64_t>(x) == std::bit_cast<uint64_t>(y);
}

size_t CountChildren(const JsonTree& tree, int32_t node) {
  size_t count = 0;
  for (int32_t c = tree.node(node).first_child; c >= 0; c = tree.node(c).next) ++count;
  return count;
}

// Members of an object by name: a look along the chain for few, a table for many.
class Members {
 public:
  Members(const JsonTree& tree, int32_t object) : tree_(tree), object_(object) {
    if (CountChildren(tree, object) <= 16) return;
    for (int32_t m = tree.node(object).first_child; m >= 0; m = tree.node(m).next) {
      by_name_.emplace(tree.node(m).key, m);
    }
  }
  int32_t Find(std::string_view key) const {
    if (by_name_.empty()) return tree_.Member(object_, key);
    auto it = by_name_.find(key);
    return it == by_name_.end() ? -1 : it->second;
  }

 private:
  const JsonTree& tree_;
  int32_t object_;
  TextMap<std::string_view, int32_t> by_name_;
};

bool Equal(const JsonTree& a, int32_t na, const JsonTree& b, int32_t nb) {
  const JsonTree::Node& x = a.node(na);
  const JsonTree::Node& y = b.node(nb);
  if (x.kind != y.kind) return false;
  switch (x.kind) {
    case Kind::kNull:
    case Kind::kTrue:
    case Kind::kFalse:
      return true;
    case Kind::kNumber:
      return NumbersEqual(x.text, y.text);
    case Kind::kString:
      return x.text == y.text;
    case Kind::kArray: {
      int32_t i = x.first_child;
      int32_t j = y.first_child;
      for (; i >= 0 && j >= 0; i = a.node(i).next, j = b.node(j).next) {
        if (!Equal(a, i, b, j)) return false;
      }
      return i < 0 && j < 0;
    }
    case Kind::kObject: {
      if (CountChildren(a, na) != CountChildren(b, nb)) return false;
      const Members other(b, nb);
      for (int32_t i = x.first_child; i >= 0; i = a.node(i).next) {
        const int32_t j = other.Find(a.node(i).key);
        if (j < 0 || !Equal(a, i, b, j)) return false;
      }
      return true;
    }
  }
  return false;
}

void Write(const JsonTree& tree, int32_t index, std::string& out) {
  const JsonTree::Node& node = tree.node(index);
  switch (node.kind) {
    case Kind::kNull:
      out.append("null");
      break;
    case Kind::kTrue:
      out.append("true");
      break;
    case Kind::kFalse:
      out.append("false");
      break;
    case Kind::kNumber:
      out.append(node.text);
      break;
    case Kind::kString:
      AppendJsonString(node.text, out);
      break;
    case Kind::kArray:
    case Kind::kObject: {
      const bool object = node.kind == Kind::kObject;
      out.push_back(object ? '{' : '[');
      for (int32_t c = node.first_child; c >= 0; c = tree.node(c).next) {
        if (c != node.first_child) out.push_back(',');
        if (object) {
          AppendJsonString(tree.node(c).key, out);
          out.push_back(':');
        }
        Write(tree, c, out);
      }
      out.push_back(object ? '}' : ']');
      break;
    }
  }
}

// Writes the union of two objects; true when it differs from the first one.
bool Merge(const JsonTree& base, int32_t object, const JsonTree& patch, int32_t changes,
           std::string& out) {
  bool changed = false;
  bool comma = false;
  auto name = [&](std::string_view key) {
    if (comma) out.push_back(',');
    comma = true;
    AppendJsonString(key, out);
    out.push_back(':');
  };
  const Members old_members(base, object);
  const Members new_members(patch, changes);
  out.push_back('{');
  for (int32_t m = base.node(object).first_child; m >= 0; m = base.node(m).next) {
    const JsonTree::Node& old_value = base.node(m);
    name(old_value.key);
    const int32_t n = new_members.Find(old_value.key);
    if (n < 0) {
      Write(base, m, out);
    } else if (old_value.kind == Kind::kObject && patch.node(n).kind == Kind::kObject) {
      changed |= Merge(base, m, patch, n, out);
    } else {
      changed |= !Equal(base, m, patch, n);
      Write(patch, n, out);
    }
  }
  for (int32_t n = patch.node(changes).first_child; n >= 0; n = patch.node(n).next) {
    if (old_members.Find(patch.node(n).key) >= 0) continue;
    changed = true;
    name(patch.node(n).key);
    Write(patch, n, out);
  }
  out.push_back('}');
  return changed;
}

}  // namespace

absl::StatusOr<UpdatedDocument> MergeDocument(std::string_view source, std::string_view doc) {
  JsonTree patch;
  doc = WithoutByteOrderMark(doc);
  const size_t start = doc.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || doc[start] != '{') {
    return MakeError("not_x_content_exception", 400,
                     fmt::format("the partial document is no JSON object: [{}]", Clip(doc)));
  }
  if (const absl::Status status = patch.Parse(doc); !status.ok()) {
    return MakeError("parse_exception", 400,
                     fmt::format("failed to parse the partial document [{}]: {}", Clip(doc),
                                 DescribeError(status).reason));
  }
  JsonTree base;
  if (const absl::Status status = base.Parse(source); !status.ok()) {
    return MakeError("parse_exception", 400,
                     fmt::format("failed to parse the source of the document to update: {}",
                                 DescribeError(status).reason));
  }
  UpdatedDocument updated;
  updated.source.reserve(source.size() + doc.size());
  updated.changed = Merge(base, base.root(), patch, patch.root(), updated.source);
  return updated;
}

}  // namespace curlew::index
