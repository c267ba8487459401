#include "engine/index/json_tree.h"

#include <fmt/format.h>
#include <simdjson.h>

#include "engine/util/byte_order_mark.h"
#include "engine/util/text_hash.h"

namespace curlew::index {

namespace {

constexpr int kMaxDepth = 1000;  // Jackson's StreamReadConstraints
constexpr int kLinearMembers = 16;

void AppendUtf8(uint32_t c, std::string& out) {
  if (c < 0x80) {
    out.push_back(static_cast<char>(c));
  } else if (c < 0x800) {
    out.push_back(static_cast<char>(0xc0 | c >> 6));
    out.push_back(static_cast<char>(0x80 | (c & 0x3f)));
  } else if (c < 0x10000) {
    out.push_back(static_cast<char>(0xe0 | c >> 12));
    out.push_back(static_cast<char>(0x80 | (c >> 6 & 0x3f)));
    out.push_back(static_cast<char>(0x80 | (c & 0x3f)));
  } else {
    out.push_back(static_cast<char>(0xf0 | c >> 18));
    out.push_back(static_cast<char>(0x80 | (c >> 12 & 0x3f)));
    out.push_back(static_cast<char>(0x80 | (c >> 6 & 0x3f)));
    out.push_back(static_cast<char>(0x80 | (c & 0x3f)));
  }
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

// Recursive descent; the first mistake stops it.
class JsonTreeParser {
 public:
  JsonTreeParser(std::string_view json, JsonTree& tree) : json_(json), tree_(tree) {}

  bool Document() {
    Space();
    if (at_ == json_.size() || json_[at_] != '{') return Fail("expected an object");
    int32_t root;
    if (!Value(root, 0)) return false;
    Space();
    return at_ == json_.size() || Fail("unexpected data behind the document");
  }

  std::string Error() const { return fmt::format("{} at byte {}", error_, at_); }

 private:
  using Kind = JsonTree::Kind;

  bool Fail(std::string_view what) {
    if (error_.empty()) error_ = at_ >= json_.size() ? "unexpected end of input" : what;
    return false;
  }
  void Space() {
    while (at_ < json_.size() &&
           (json_[at_] == ' ' || json_[at_] == '\n' || json_[at_] == '\r' || json_[at_] == '\t')) {
      ++at_;
    }
  }
  bool Take(char c) {
    if (at_ == json_.size() || json_[at_] != c) return false;
    ++at_;
    return true;
  }
  int32_t NewNode(Kind kind) {
    tree_.nodes_.push_back({});
    tree_.nodes_.back().kind = kind;
    return static_cast<int32_t>(tree_.nodes_.size()) - 1;
  }
  JsonTree::Node& At(int32_t node) { return tree_.nodes_[static_cast<size_t>(node)]; }

  bool Value(int32_t& node, int depth) {
    if (depth > kMaxDepth) return Fail("nested too deep");
    if (at_ == json_.size()) return Fail("");
    switch (json_[at_]) {
      case '{':
        node = NewNode(Kind::kObject);
        return Object(node, depth);
      case '[':
        node = NewNode(Kind::kArray);
        return Array(node, depth);
      case '"': {
        node = NewNode(Kind::kString);
        std::string_view text;
        if (!String(text)) return false;
        At(node).text = text;
        return true;
      }
      case 't':
        return Literal("true", Kind::kTrue, node);
      case 'f':
        return Literal("false", Kind::kFalse, node);
      case 'n':
        return Literal("null", Kind::kNull, node);
      default:
        return Number(node);
    }
  }

  bool Literal(std::string_view word, Kind kind, int32_t& node) {
    if (json_.substr(at_, word.size()) != word) return Fail("unknown word");
    at_ += word.size();
    node = NewNode(kind);
    return true;
  }

  bool Digits() {
    const size_t start = at_;
    while (at_ < json_.size() && IsDigit(json_[at_])) ++at_;
    return at_ > start || Fail("expected a digit");
  }

  bool Number(int32_t& node) {
    const size_t start = at_;
    Take('-');
    if (at_ == json_.size() || !IsDigit(json_[at_])) return Fail("unexpected character");
    if (!Take('0') && !Digits()) return false;
    if (Take('.') && !Digits()) return false;
    if (Take('e') || Take('E')) {
      if (!Take('+')) Take('-');
      if (!Digits()) return false;
    }
    node = NewNode(Kind::kNumber);
    At(node).text = json_.substr(start, at_ - start);
    return true;
  }

  bool Hex4(uint32_t& out) {
    out = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      if (at_ == json_.size()) return Fail("");
      const char c = json_[at_];
      uint32_t digit;
      if (IsDigit(c)) {
        digit = static_cast<uint32_t>(c - '0');
      } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
        digit = static_cast<uint32_t>((c | 0x20) - 'a') + 10;
      } else {
        return Fail("bad escape");
      }
      out = out << 4 | digit;
    }
    return true;
  }

  bool Escape(std::string& out) {
    if (at_ == json_.size()) return Fail("");
    switch (json_[at_++]) {
      case '"':
        out.push_back('"');
        return true;
      case '\\':
        out.push_back('\\');
        return true;
      case '/':
        out.push_back('/');
        return true;
      case 'b':
        out.push_back('\b');
        return true;
      case 'f':
        out.push_back('\f');
        return true;
      case 'n':
        out.push_back('\n');
        return true;
      case 'r':
        out.push_back('\r');
        return true;
      case 't':
        out.push_back('\t');
        return true;
      case 'u':
        break;
      default:
        --at_;
        return Fail("bad escape");
    }
    uint32_t c;
    if (!Hex4(c)) return false;
    if (c >= 0xd800 && c < 0xe000) {
      uint32_t low = 0;
      if (c >= 0xdc00 || !Take('\\') || !Take('u')) return Fail("lone surrogate");
      if (!Hex4(low)) return false;
      if (low < 0xdc00 || low >= 0xe000) return Fail("lone surrogate");
      c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    }
    AppendUtf8(c, out);
    return true;
  }

  bool String(std::string_view& text) {
    const size_t start = ++at_;
    std::string* decoded = nullptr;
    while (at_ < json_.size()) {
      const char c = json_[at_];
      if (c == '"') {
        text = decoded != nullptr ? std::string_view(*decoded) : json_.substr(start, at_ - start);
        ++at_;
        return true;
      }
      if (static_cast<unsigned char>(c) < 0x20) return Fail("control character in a string");
      if (c == '\\') {
        if (decoded == nullptr) {
          tree_.decoded_.emplace_back(json_.substr(start, at_ - start));
          decoded = &tree_.decoded_.back();
        }
        ++at_;
        if (!Escape(*decoded)) return false;
      } else {
        if (decoded != nullptr) decoded->push_back(c);
        ++at_;
      }
    }
    return Fail("");
  }

  bool Array(int32_t array, int depth) {
    ++at_;
    Space();
    if (Take(']')) return true;
    for (int32_t last = -1;;) {
      int32_t child;
      Space();
      if (!Value(child, depth + 1)) return false;
      (last < 0 ? At(array).first_child : At(last).next) = child;
      last = child;
      Space();
      if (Take(']')) return true;
      if (!Take(',')) return Fail("expected a comma or the end of the array");
    }
  }

  bool Object(int32_t object, int depth) {
    ++at_;
    Space();
    if (Take('}')) return true;
    TextSet<std::string_view> names;
    int members = 0;
    for (int32_t last = -1;;) {
      Space();
      if (at_ == json_.size() || json_[at_] != '"') return Fail("expected a name");
      std::string_view key;
      if (!String(key)) return false;
      // A few names are compared one by one; more go through a set.
      const bool duplicate = members < kLinearMembers
                                 ? tree_.Member(object, key) >= 0
                                 : names.contains(key) || (members == kLinearMembers &&
                                                           tree_.Member(object, key) >= 0);
      if (duplicate) return Fail(fmt::format("duplicate name [{}]", key.substr(0, 64)));
      if (members == kLinearMembers) {
        for (int32_t m = At(object).first_child; m >= 0; m = At(m).next) names.insert(At(m).key);
      }
      if (members >= kLinearMembers) names.insert(key);
      ++members;
      Space();
      if (!Take(':')) return Fail("expected a colon");
      Space();
      int32_t child;
      if (!Value(child, depth + 1)) return false;
      At(child).key = key;
      (last < 0 ? At(object).first_child : At(last).next) = child;
      last = child;
      Space();
      if (Take('}')) return true;
      if (!Take(',')) return Fail("expected a comma or the end of the object");
    }
  }

  std::string_view json_;
  JsonTree& tree_;
  size_t at_ = 0;
  std::string error_;
};

absl::Status JsonTree::Parse(std::string_view json) {
  nodes_.clear();
  decoded_.clear();
  if (!simdjson::validate_utf8(json.data(), json.size())) {
    return absl::InvalidArgumentError("the text is not valid UTF-8");
  }
  JsonTreeParser parser(WithoutByteOrderMark(json), *this);
  if (!parser.Document()) {
    const std::string error = parser.Error();
    return absl::InvalidArgumentError(error.c_str());
  }
  return absl::OkStatus();
}

int32_t JsonTree::Member(int32_t object, std::string_view key) const {
  for (int32_t m = node(object).first_child; m >= 0; m = node(m).next) {
    if (node(m).key == key) return m;
  }
  return -1;
}

void AppendJsonString(std::string_view text, std::string& out) {
  out.push_back('"');
  size_t clean = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text.substr(clean, i - clean));
    clean = i + 1;
    switch (c) {
      case '"':
        out.append("\\\"");
        break;
      case '\\':
        out.append("\\\\");
        break;
      case '\b':
        out.append("\\b");
        break;
      case '\f':
        out.append("\\f");
        break;
      case '\n':
        out.append("\\n");
        break;
      case '\r':
        out.append("\\r");
        break;
      case '\t':
        out.append("\\t");
        break;
      default:
        out.append(fmt::format("\\u{:04X}", c));
        break;
    }
  }
  out.append(text.substr(clean));
  out.push_back('"');
}

}  // namespace curlew::index
