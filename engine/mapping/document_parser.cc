#include "engine/mapping/document_parser.h"

#include <simdjson.h>

#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "engine/mapping/dates.h"
#include "engine/mapping/dynamic_update.h"
#include "engine/mapping/field_values.h"
#include "engine/mapping/java_numbers.h"
#include "engine/mapping/key_set.h"
#include "engine/mapping/mapping_impl.h"
#include "engine/mapping/mapping_parser.h"
#include "engine/util/byte_order_mark.h"
#include "engine/util/error.h"
#include "engine/util/json_error.h"

namespace curlew::mapping {

namespace {

namespace od = simdjson::ondemand;

// Jackson's limits (StreamReadConstraints) as OpenSearch sets them.
constexpr int kMaxNesting = 1000;
constexpr size_t kMaxNumberLength = 1000;
constexpr size_t kMaxNameLength = 50'000;
// A buffer larger than this is given back when small documents follow.
constexpr size_t kKeepBytes = 4 << 20;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// What stands at the start of a value.
enum class Token : uint8_t { kObject, kArray, kNull, kScalar, kBad };

// The token of a literal or number without the blanks behind it.
std::string_view TrimToken(std::string_view raw) {
  while (!raw.empty() &&
         (raw.back() == ' ' || raw.back() == '\n' || raw.back() == '\r' || raw.back() == '\t')) {
    raw.remove_suffix(1);
  }
  return raw;
}

// RFC 8259's grammar of numbers.
bool ReadNumber(std::string_view s, Scalar& out) {
  size_t i = s.starts_with('-') ? 1 : 0;
  const size_t first = i;
  while (i < s.size() && IsDigit(s[i])) ++i;
  if (i == first || (s[first] == '0' && i - first > 1)) return false;
  out.kind = Scalar::Kind::kInteger;
  if (i < s.size() && s[i] == '.') {
    const size_t start = ++i;
    while (i < s.size() && IsDigit(s[i])) ++i;
    if (i == start) return false;
    out.kind = Scalar::Kind::kFraction;
  }
  if (i < s.size() && (s[i] | 0x20) == 'e') {
    ++i;
    if (i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
    const size_t start = i;
    while (i < s.size() && IsDigit(s[i])) ++i;
    if (i == start) return false;
    out.kind = Scalar::Kind::kFraction;
  }
  out.text = s;
  return i == s.size() && s.size() <= kMaxNumberLength;
}

// simdjson lets an escaped half of a surrogate pair through; it comes out as ED A0..BF xx, which no
// other way leads to.
bool HasLoneSurrogate(std::string_view s) {
  for (size_t at = s.find('\xed'); at != std::string_view::npos; at = s.find('\xed', at + 1)) {
    if (at + 1 < s.size() && static_cast<unsigned char>(s[at + 1]) >= 0xa0) return true;
  }
  return false;
}

// An object of the document that is being read. Lives on the stack; `node` is null when the mapping
// does not have it.
struct Frame {
  Frame* parent = nullptr;
  const ObjectNode* node = nullptr;
  std::string_view name;
  Dynamic dynamic = Dynamic::kTrue;
  int path_depth = 1;        // 1 = root
  NewNode* added = nullptr;  // where the mapping update holds it; null until needed
};

}  // namespace

// Functions return false after setting `error`. Each consumes the whole value it is given.
struct DocumentParser::Impl {
  od::parser parser;
  std::unique_ptr<char[]> buffer;
  size_t capacity = 0;
  KeySet keys;
  DynamicUpdate update;

  std::string_view source;  // of the document that is being read
  const MappingTree* tree = nullptr;
  const MappingLimits* limits = nullptr;
  ParsedDocument* out = nullptr;
  absl::Status error;
  int nesting = 0;
  int object_depth = 0;
  int array_depth = 0;

  bool Fail(absl::Status status) {
    error = std::move(status);
    return false;
  }
  // The document as a whole: "failed to parse" with the reason as its cause.
  bool FailDocument(std::string_view type, std::string reason) {
    return Fail(WithCause(MapperParsing(fmt::format("failed to parse: {}", reason)),
                          MakeError(type, 400, reason)));
  }
  bool FailJson(std::string_view what) {
    return FailDocument("json_parse_exception", fmt::format("not valid JSON: {}", what));
  }
  bool FailJson(simdjson::error_code code) { return FailJson(DescribeJsonError(code, source)); }

  static std::string PathOf(const Frame& frame) {
    if (frame.node != nullptr) return frame.node->path;
    if (frame.parent == nullptr) return "";
    return PathOf(*frame.parent, frame.name);
  }
  static std::string PathOf(const Frame& frame, std::string_view name) {
    std::string path = PathOf(frame);
    if (!path.empty()) path.push_back('.');
    return path.append(name);
  }

  // ---- values ----

  // Looks at a value's start; scalars are read into `scalar`.
  bool Peek(od::value& value, Token& token, Scalar& scalar) {
    const std::string_view raw = value.raw_json_token();
    switch (raw.empty() ? '\0' : raw.front()) {
      case '"': {
        if (const auto code = value.get_string().get(scalar.text)) return FailJson(code);
        scalar.kind = Scalar::Kind::kString;
        token = Token::kScalar;
        // Longer than its content: there were escapes (or blanks behind).
        if (raw.size() != scalar.text.size() + 2 && HasLoneSurrogate(scalar.text)) {
          return FailJson("a surrogate without its partner");
        }
        return true;
      }
      case '{':
        token = Token::kObject;
        return true;
      case '[':
        token = Token::kArray;
        return true;
      case 'n':
        token = Token::kNull;
        return TrimToken(raw) == "null" || FailJson(fmt::format("token '{}'", Clip(raw)));
      case 't':
      case 'f':
        token = Token::kScalar;
        scalar = {Scalar::Kind::kBool, TrimToken(raw)};
        return scalar.text == "true" || scalar.text == "false" ||
               FailJson(fmt::format("token '{}'", Clip(raw)));
      default:
        token = Token::kScalar;
        return ReadNumber(TrimToken(raw), scalar) ||
               FailJson(fmt::format("token '{}'", Clip(TrimToken(raw))));
    }
  }

  bool EnterNesting() {
    if (++nesting <= kMaxNesting) return true;
    return FailDocument("stream_constraints_exception",
                        fmt::format("Document nesting depth ({}) exceeds the maximum allowed ({})",
                                    nesting, kMaxNesting));
  }

  // Calls f(value) for the items of an array.
  template <typename F>
  bool Items(od::value& value, F&& f) {
    if (!EnterNesting()) return false;
    od::array array;
    if (const auto code = value.get_array().get(array)) return FailJson(code);
    for (auto item : array) {
      od::value v;
      if (const auto code = item.get(v)) return FailJson(code);
      if (!f(v)) return false;
    }
    --nesting;
    return true;
  }

  // The same where arrays within arrays are counted against the mapping's depth limit.
  template <typename F>
  bool LimitedItems(od::value& value, F&& f) {
    if (++array_depth > limits->depth) {
      return FailDocument(
          "parse_exception",
          fmt::format("The depth of the nested array field has exceeded the allowed limit of [{}]. "
                      "This limit can be set by changing the [index.mapping.depth.limit] index "
                      "level setting.",
                      limits->depth));
    }
    if (!Items(value, f)) return false;
    --array_depth;
    return true;
  }

  // Calls f(key, hash, value) for the members of an object, after looking for names given twice.
  template <typename F>
  bool Members(od::object& object, F&& f) {
    if (!EnterNesting()) return false;
    keys.Enter();
    for (auto member : object) {
      od::field field;
      if (const auto code = std::move(member).get(field)) return FailJson(code);
      std::string_view key;
      if (const auto code = field.unescaped_key().get(key)) return FailJson(code);
      const uint64_t hash = ObjectNode::Hash(key);
      if (!keys.Add(hash, key)) {
        return FailDocument("json_parse_exception", fmt::format("Duplicate field '{}'", Clip(key)));
      }
      if (!f(key, hash, field.value())) return false;
    }
    keys.Leave();
    --nesting;
    return true;
  }

  bool CheckName(std::string_view key) {
    if (HasLoneSurrogate(key)) return FailJson("a surrogate without its partner in a name");
    if (!IsLongerThan(key, kMaxNameLength)) return true;
    return FailDocument(
        "stream_constraints_exception",
        fmt::format("Name length exceeds the maximum allowed ({})", kMaxNameLength));
  }

  // Reads over what nobody wants; it has to be well-formed all the same.
  bool Skip(od::value& value) {
    Token token{};
    Scalar scalar;
    if (!Peek(value, token, scalar)) return false;
    if (token == Token::kArray) {
      return Items(value, [this](od::value& v) { return Skip(v); });
    }
    if (token != Token::kObject) return true;
    od::object object;
    if (const auto code = value.get_object().get(object)) return FailJson(code);
    return Members(object, [this](std::string_view key, uint64_t, od::value& v) {
      return CheckName(key) && Skip(v);
    });
  }

  // A value below an object with dynamic = false: arrays count, what is inside objects does not.
  bool Ignore(od::value& value) {
    const std::string_view raw = value.raw_json_token();
    if (!raw.empty() && raw.front() == '[') {
      return LimitedItems(value, [this](od::value& v) { return Ignore(v); });
    }
    return Skip(value);
  }

  // ---- objects ----

  bool ReadObject(od::value& value, Frame& frame) {
    od::object object;
    if (const auto code = value.get_object().get(object)) return FailJson(code);
    return ReadMembers(object, frame);
  }

  bool ReadMembers(od::object& object, Frame& frame) {
    if (++object_depth > limits->depth) {
      return FailDocument(
          "parse_exception",
          fmt::format("The depth of the field has exceeded the allowed limit of [{}]. This limit "
                      "can be set by changing the [index.mapping.depth.limit] index level setting.",
                      limits->depth));
    }
    const bool ok =
        Members(object, [this, &frame](std::string_view key, uint64_t hash, od::value& v) {
          if (frame.node != nullptr) {
            if (const ChildNode* child = frame.node->Find(key, hash)) {
              return Child(*child, v, frame);
            }
          }
          return Unmapped(key, v, frame);
        });
    --object_depth;
    return ok;
  }

  bool Child(const ChildNode& child, od::value& value, Frame& frame) {
    return child.field != nullptr ? Field(*child.field, value)
                                  : MappedObject(*child.object, value, frame);
  }

  static Frame FrameOf(const ObjectNode& node, Frame& parent) {
    Frame frame;
    frame.parent = &parent;
    frame.node = &node;
    frame.name = node.name;
    frame.dynamic = node.EffectiveDynamic(parent.dynamic);
    frame.path_depth = parent.path_depth + 1;
    return frame;
  }
  static Frame FrameOfNew(std::string_view name, Frame& parent) {
    Frame frame;
    frame.parent = &parent;
    frame.name = name;
    frame.dynamic = parent.dynamic;
    frame.path_depth = parent.path_depth + 1;
    return frame;
  }

  bool MappedObject(const ObjectNode& node, od::value& value, Frame& parent) {
    if (!node.enabled) return Skip(value);
    Token token{};
    Scalar scalar;
    if (!Peek(value, token, scalar)) return false;
    switch (token) {
      case Token::kObject: {
        Frame frame = FrameOf(node, parent);
        return ReadObject(value, frame);
      }
      case Token::kArray:
        return LimitedItems(value, [&](od::value& v) { return MappedObject(node, v, parent); });
      case Token::kNull:
        return true;
      default:
        return Fail(MapperParsing(
            fmt::format("object mapping for [{}] tried to parse field [{}] as object, but found a "
                        "concrete value [{}]",
                        Clip(node.path), Clip(node.name), Clip(scalar.text))));
    }
  }

  // ---- names that the mapping does not have ----

  // Not inlined: it stays out of the way of the members that are mapped.
  [[gnu::noinline]] bool Unmapped(std::string_view key, od::value& value, Frame& frame) {
    if (!CheckName(key)) return false;
    if (key.empty()) {
      return FailDocument("illegal_argument_exception", "field name cannot be an empty string");
    }
    const std::string_view full = key;
    if (key.find('.') == std::string_view::npos) return Part(key, full, value, frame);
    // Dots at the end do not count.
    while (!key.empty() && key.back() == '.') key.remove_suffix(1);
    if (key.empty()) {
      return FailDocument("illegal_argument_exception",
                          "field name cannot contain only the character [.]");
    }
    for (std::string_view rest = key;;) {
      const size_t dot = rest.find('.');
      const std::string_view part = rest.substr(0, dot);
      if (part.empty()) {
        return FailDocument("illegal_argument_exception",
                            fmt::format("object field starting or ending with a [.] makes object "
                                        "resolution ambiguous: [{}]",
                                        Clip(full)));
      }
      if (part.find_first_not_of(" \t\n\r\f\v") == std::string_view::npos) {
        return FailDocument(
            "illegal_argument_exception",
            fmt::format("object field cannot contain only whitespace: ['{}']", Clip(full)));
      }
      if (dot == std::string_view::npos) break;
      rest.remove_prefix(dot + 1);
    }
    return Part(key, full, value, frame);
  }

  // `rest` is a name, or a path from here on.
  bool Part(std::string_view rest, std::string_view full, od::value& value, Frame& frame) {
    const size_t dot = rest.find('.');
    const std::string_view name = rest.substr(0, dot);
    const ChildNode* child = frame.node == nullptr ? nullptr : frame.node->Find(name);
    if (dot == std::string_view::npos) {
      return child != nullptr ? Child(*child, value, frame) : New(name, value, frame);
    }
    if (child == nullptr) {
      if (!CheckNew(name, frame)) return false;
      if (frame.dynamic == Dynamic::kFalse) return Ignore(value);
      if (frame.path_depth > limits->depth) {
        return Fail(IllegalArgument(
            fmt::format("Limit of mapping depth [{}] has been exceeded due to object field [{}]",
                        limits->depth, Clip(PathOf(frame)))));
      }
      Frame below = FrameOfNew(name, frame);
      return Part(rest.substr(dot + 1), full, value, below);
    }
    if (child->field != nullptr) {
      return Fail(MapperParsing(fmt::format(
          "Could not dynamically add mapping for field [{}]. Existing mapping for [{}] "
          "must be of type object but found [{}].",
          Clip(full), Clip(child->field->field.path), KindName(child->field->field.kind))));
    }
    if (!child->object->enabled) return Skip(value);
    Frame below = FrameOf(*child->object, frame);
    return Part(rest.substr(dot + 1), full, value, below);
  }

  // Whether `frame` may get a child that is not mapped (dynamic = false says yes: it is ignored).
  bool CheckNew(std::string_view name, const Frame& frame) {
    if (frame.parent == nullptr && IsMetadataName(name)) {
      return Fail(MapperParsing(
          fmt::format("Field [{}] is a metadata field and cannot be added inside a document. Use "
                      "the index API request parameters.",
                      name)));
    }
    if (frame.dynamic != Dynamic::kStrict) return true;
    const std::string path = PathOf(frame);
    return Fail(MakeError("strict_dynamic_mapping_exception", 400,
                          fmt::format("mapping set to strict, dynamic introduction of [{}] within "
                                      "[{}] is not allowed",
                                      Clip(name), path.empty() ? "_doc" : Clip(path))));
  }

  bool New(std::string_view name, od::value& value, Frame& frame) {
    if (!CheckNew(name, frame)) return false;
    if (frame.dynamic == Dynamic::kFalse) return Ignore(value);
    return NewValue(name, value, frame);
  }

  bool NewValue(std::string_view name, od::value& value, Frame& frame) {
    Token token{};
    Scalar scalar;
    if (!Peek(value, token, scalar)) return false;
    switch (token) {
      case Token::kNull:
        return true;
      case Token::kArray:
        return LimitedItems(value, [&](od::value& v) { return NewValue(name, v, frame); });
      case Token::kObject: {
        Frame below = FrameOfNew(name, frame);
        return Added(below) != nullptr && ReadObject(value, below);
      }
      default:
        return NewScalar(name, scalar, frame);
    }
  }

  // The place of an object in the mapping update; null after an error.
  NewNode* Added(Frame& frame) {
    if (frame.added != nullptr) return frame.added;
    if (frame.parent == nullptr) {
      frame.added = update.root();
      return frame.added;
    }
    NewNode* parent = Added(*frame.parent);
    if (parent == nullptr || !CheckCount()) return nullptr;
    frame.added = update.AddObject(parent, frame.name, PathOf(*frame.parent), error);
    return frame.added;
  }

  // More new fields than a mapping may have: no need to look at the rest.
  bool CheckCount() {
    if (update.count() <= limits->total_fields) return true;
    return Fail(IllegalArgument(
        fmt::format("Limit of total fields [{}] has been exceeded", limits->total_fields)));
  }

  bool NewScalar(std::string_view name, const Scalar& scalar, Frame& frame) {
    MappedField guess;
    guess.path = PathOf(frame, name);
    switch (scalar.kind) {
      case Scalar::Kind::kBool:
        guess.kind = FieldKind::kBoolean;
        break;
      case Scalar::Kind::kInteger:
        guess.kind = FieldKind::kLong;
        break;
      case Scalar::Kind::kFraction:
        guess.kind = FieldKind::kFloat;
        break;
      case Scalar::Kind::kString:
        GuessString(scalar.text, guess);
        break;
    }
    if (guess.kind != FieldKind::kText) {
      int64_t number = 0;
      absl::Status why;
      if (EncodeNumber(guess, scalar, number, why) == Encoded::kError) {
        return Fail(FieldError(guess, scalar.text, why));
      }
    }
    NewNode* parent = Added(frame);
    return parent != nullptr && CheckCount() &&
           update.AddField(parent, name, guess.kind, guess.format, PathOf(frame), error) != nullptr;
  }

  void GuessString(std::string_view text, MappedField& guess) const {
    const RootOptions& options = tree->options;
    int64_t number = 0;
    const WholeResult whole = ParseDecimalToLong(text, number);
    const bool is_long = whole == WholeResult::kOk && text.find_first_of(".eE") == text.npos;
    const bool is_number = is_long || ParseJavaDouble(text).has_value();
    guess.kind = FieldKind::kText;
    if (options.numeric_detection.value_or(false) && is_number) {
      guess.kind = is_long ? FieldKind::kLong : FieldKind::kFloat;
    } else if (!is_number && options.date_detection.value_or(true)) {
      const std::vector<std::string>& formats = options.dynamic_date_formats
                                                    ? *options.dynamic_date_formats
                                                    : DefaultDynamicDateFormats();
      if (const std::string* format = FindDateFormat(text, formats)) {
        guess.kind = FieldKind::kDate;
        guess.format = *format;
      }
    }
  }

  // ---- mapped fields ----

  bool Field(const FieldNode& node, od::value& value) {
    Token token{};
    Scalar scalar;
    if (!Peek(value, token, scalar)) return false;
    switch (token) {
      case Token::kScalar:
        return Emit(node, scalar);
      case Token::kNull:
        EmitNull(node);
        return true;
      case Token::kArray:
        return LimitedItems(value, [&](od::value& v) { return Field(node, v); });
      default:
        break;
    }
    const MappedField& field = node.field;
    if (field.ignore_malformed) return Skip(value);
    od::object object;
    std::string_view json;
    if (const auto code = value.get_object().get(object)) return FailJson(code);
    if (const auto code = object.raw_json().get(json)) return FailJson(code);
    return Fail(
        FieldError(field, json,
                   MakeError("illegal_state_exception", 400,
                             fmt::format("field [{}] takes no objects", Clip(field.path)))));
  }

  bool Emit(const FieldNode& node, const Scalar& scalar) {
    const MappedField& field = node.field;
    if (field.kind == FieldKind::kText) {
      if (field.indexed || field.store) out->values.push_back({&field, scalar.text, 0});
    } else if (field.kind == FieldKind::kKeyword) {
      EmitKeyword(field, scalar.text);
    } else {
      int64_t number = 0;
      absl::Status why;
      switch (EncodeNumber(field, scalar, number, why)) {
        case Encoded::kValue:
          EmitNumber(field, number);
          break;
        case Encoded::kNull:
          if (node.has_null_value) EmitNumber(field, node.null_number);
          break;
        case Encoded::kError:
          if (!field.ignore_malformed) return Fail(FieldError(field, scalar.text, why));
          break;
      }
    }
    for (const auto& child : node.multi) {
      if (!Emit(*child, scalar)) return false;
    }
    return true;
  }

  void EmitNumber(const MappedField& field, int64_t number) {
    if (field.indexed || field.doc_values || field.store) {
      out->values.push_back({&field, {}, number});
    }
  }

  // Terms that are too long for an index are not looked for here: they are found once the operation
  // has its sequence number.
  void EmitKeyword(const MappedField& field, std::string_view text) {
    if (field.ignore_above && IsLongerThan(text, *field.ignore_above)) return;
    if (field.indexed || field.doc_values || field.store) {
      out->values.push_back({&field, text, 0});
    }
  }

  void EmitNull(const FieldNode& node) {
    if (node.has_null_value) {
      if (node.field.kind == FieldKind::kKeyword) {
        EmitKeyword(node.field, node.null_text);
      } else {
        EmitNumber(node.field, node.null_number);
      }
    }
    for (const auto& child : node.multi) EmitNull(*child);
  }

  // ---- the document ----

  // `json` with simdjson's padding behind it.
  simdjson::padded_string_view Padded(std::string_view json) {
    const size_t needed = json.size() + simdjson::SIMDJSON_PADDING;
    if (capacity > kKeepBytes && needed < kKeepBytes / 4) {
      capacity = 0;
      parser = od::parser();
    }
    if (needed > capacity) {
      capacity = needed + needed / 2;
      buffer.reset(new char[capacity]);
    }
    std::memcpy(buffer.get(), json.data(), json.size());
    std::memset(buffer.get() + json.size(), 0, simdjson::SIMDJSON_PADDING);
    return simdjson::padded_string_view(buffer.get(), json.size(), capacity);
  }

  bool ParseDocument(const MappingTree& mapping) {
    if (source.empty()) {
      return Fail(MapperParsing("failed to parse, document is empty"));
    }
    const std::string_view json = WithoutByteOrderMark(source);
    const size_t start = json.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos || json[start] != '{') {
      return FailDocument("not_x_content_exception",
                          fmt::format("a document is a JSON object, not [{}]",
                                      Clip(json.substr(std::min(start, json.size())), 50)));
    }
    od::document document;
    if (const auto code = parser.iterate(Padded(json)).get(document)) return FailJson(code);
    od::object object;
    if (const auto code = document.get_object().get(object)) return FailJson(code);
    Frame root;
    root.node = mapping.root.get();
    root.dynamic = mapping.root->EffectiveDynamic(Dynamic::kTrue);
    if (!ReadMembers(object, root)) return false;
    const char* rest = nullptr;
    if (document.current_location().get(rest) == simdjson::SUCCESS) {
      return FailDocument("illegal_argument_exception",
                          "Malformed content, found extra data after parsing");
    }
    return true;
  }
};

DocumentParser::DocumentParser() : impl_(new Impl) {}
DocumentParser::~DocumentParser() = default;

absl::Status DocumentParser::Parse(std::string_view source, const Mapping& mapping,
                                   const MappingLimits& limits, ParsedDocument& out) {
  Impl& p = *impl_;
  out.values.clear();
  out.mapping_update.clear();
  p.keys.Clear();
  if (!p.update.empty()) p.update.Clear();
  p.nesting = p.object_depth = p.array_depth = 0;
  // Mapping has one implementation; the tree is not part of what its users see.
  p.tree = &static_cast<const MappingImpl&>(mapping).tree();
  p.limits = &limits;
  p.out = &out;
  p.source = source;
  if (!p.ParseDocument(*p.tree)) {
    out.values.clear();
    return std::move(p.error);
  }
  if (!p.update.empty()) out.mapping_update = p.update.ToJson();
  return absl::OkStatus();
}

}  // namespace curlew::mapping
