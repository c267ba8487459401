#include "cli/bulk_file.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <string_view>
#include <utility>

#include "cli/command.h"
#include "cli/printable.h"
#include "cli/raw_json.h"
#include "engine/util/error.h"
#include "engine/util/json_error.h"
#include "protos/opensearch/bulk_request.pb.h"

namespace curlew::cli {
namespace {

namespace os = org::opensearch::protobufs;
using simdjson::dom::element;

constexpr std::string_view kOperations[] = {"index", "create", "update", "delete"};

bool IsOperation(std::string_view name) {
  for (const std::string_view operation : kOperations) {
    if (name == operation) return true;
  }
  return false;
}

os::VersionType VersionTypeOf(std::string_view name) {
  if (name == "internal") return os::VERSION_TYPE_INTERNAL;
  if (name == "external") return os::VERSION_TYPE_EXTERNAL;
  if (name == "external_gte") return os::VERSION_TYPE_EXTERNAL_GTE;
  throw std::invalid_argument(fmt::format("unknown version_type [{}]", name));
}

// Of an id and the like. A fraction has several spellings, and the parser does not tell which.
std::string Text(element value) {
  if (value.type() == simdjson::dom::element_type::DOUBLE) {
    throw std::invalid_argument(
        fmt::format("[{}] has to be a string here, in quotes", simdjson::minify(value)));
  }
  return value.is_string() ? std::string(std::string_view(value)) : simdjson::minify(value);
}

// One member of an action line; false when operations of this kind do not have it.
template <typename Operation>
bool SetMember(std::string_view key, element value, Operation& out) {
  if (key == "_index") {
    out.set_x_index(Text(value));
  } else if (key == "_id") {
    out.set_x_id(Text(value));
  } else if (key == "routing") {
    out.set_routing(Text(value));
  } else if constexpr (requires { out.set_pipeline(""); }) {
    if (key == "pipeline") {
      out.set_pipeline(Text(value));
      return true;
    }
  }
  if (key == "_index" || key == "_id" || key == "routing") return true;
  if constexpr (requires { out.set_require_alias(true); }) {
    if (key == "require_alias") {
      out.set_require_alias(bool(value));
      return true;
    }
  }
  if constexpr (requires { out.set_if_seq_no(0); }) {
    if (key == "if_seq_no" || key == "if_primary_term") {
      key == "if_seq_no" ? out.set_if_seq_no(int64_t(value))
                         : out.set_if_primary_term(int64_t(value));
      return true;
    }
  }
  if constexpr (requires { out.set_version(0); }) {
    if (key == "version") {
      out.set_version(int64_t(value));
      return true;
    }
    if (key == "version_type") {
      out.set_version_type(VersionTypeOf(std::string_view(value)));
      return true;
    }
  }
  if constexpr (requires { out.set_retry_on_conflict(0); }) {
    if (key == "retry_on_conflict") {
      out.set_retry_on_conflict(static_cast<int32_t>(int64_t(value)));
      return true;
    }
  }
  return false;
}

template <typename Operation>
void FillOperation(simdjson::dom::object members, Operation& out) {
  for (const auto [key, value] : members) {
    if (!SetMember(key, value, out)) {
      throw std::invalid_argument(fmt::format("unknown member [{}] of the action", key));
    }
  }
}

// `line` is a JSON object. Documents go out as they are written: another form of a number (0.10 as
// 0.1) would be another document.
void FillUpdate(simdjson::padded_string_view line, simdjson::ondemand::parser& parser,
                os::UpdateAction& out) {
  simdjson::ondemand::document document = parser.iterate(line);
  for (auto member : document.get_object()) {
    const std::string_view key = member.unescaped_key();
    simdjson::ondemand::value value = member.value();
    if (key == "doc" || key == "upsert") {
      const std::string_view raw = RawText(value);
      key == "doc" ? out.set_doc(raw.data(), raw.size()) : out.set_upsert(raw.data(), raw.size());
    } else if (key == "doc_as_upsert") {
      out.set_doc_as_upsert(bool(value));
    } else if (key == "detect_noop") {
      out.set_detect_noop(bool(value));
    } else {
      throw std::invalid_argument(fmt::format("member [{}] of an update is not supported", key));
    }
  }
}

}  // namespace

struct BulkFile::Impl {
  Impl(std::istream& lines, BulkFormat as, std::string member)
      : in(lines), format(as), id_field(std::move(member)) {}

  std::istream& in;
  BulkFormat format;
  const std::string id_field;
  simdjson::dom::parser parser;
  simdjson::ondemand::parser lazy_parser;
  std::string text;
  uint64_t bytes = 0;
  uint64_t line = 0;
  uint64_t item_line = 0;

  bool ReadLine() {
    while (std::getline(in, text)) {
      ++line;
      bytes += text.size() + 1;
      if (text.find_first_not_of(" \t\r") != std::string::npos) return true;
    }
    return false;
  }

  // Whether the line being read is the last one of its item whatever is wrong with it. Behind an
  // action that makes no sense there may be a document or another action.
  bool ends_item = false;

  [[noreturn]] void Fail(std::string_view why) const {
    if (ends_item) throw BadLine(line, fmt::format("{}: {}", why, Printable(Clip(text, 100))));
    throw CommandError(
        kFailed, fmt::format("line {}: {}\n  found: {}", line, why, Printable(Clip(text, 100))));
  }

  element Parse() {
    element root;
    if (const auto error = parser.parse(text).get(root); error) {
      Fail(fmt::format("not valid JSON: {}", DescribeJsonError(error, text)));
    }
    if (!root.is_object()) Fail("a JSON object is expected on each line");
    return root;
  }

  // Whether the line is {"index": {...}} or the like.
  static bool IsAction(element root) {
    const simdjson::dom::object object = root.get_object().value_unsafe();
    if (object.size() != 1) return false;
    const auto [key, value] = *object.begin();
    return IsOperation(key) && value.is_object();
  }

  void FillDocument(os::BulkRequestBody& item) {
    auto& operation = *item.mutable_operation_container()->mutable_index();
    if (!id_field.empty()) {
      element id;
      if (Parse()[id_field].get(id) != simdjson::SUCCESS || id.is_null()) {
        Fail(fmt::format("the document has no member [{}] for its id", id_field));
      }
      operation.set_x_id(Text(id));
    }
    item.set_object(text);
  }

  void FillAction(os::BulkRequestBody& item) {
    const element root = Parse();
    if (!IsAction(root)) Fail("an action line such as {\"index\":{\"_id\":\"1\"}} is expected");
    const auto [name, members] = *root.get_object().value_unsafe().begin();
    const simdjson::dom::object object = members.get_object().value_unsafe();
    const std::string kind(name);
    auto& container = *item.mutable_operation_container();
    if (kind == "index") FillOperation(object, *container.mutable_index());
    if (kind == "create") FillOperation(object, *container.mutable_create());
    if (kind == "update") FillOperation(object, *container.mutable_update());
    if (kind == "delete") {
      FillOperation(object, *container.mutable_delete_());
      return;
    }
    if (!ReadLine()) Fail("the document of the last action is missing");
    if (kind == "update") {
      ends_item = true;
      Parse();
      FillUpdate(Padded(text), lazy_parser, *item.mutable_update_action());
    } else {
      item.set_object(text);
    }
  }
};

BulkFile::BulkFile(std::istream& in, BulkFormat format, std::string id_field)
    : impl_(std::make_unique<Impl>(in, format, std::move(id_field))) {}

BulkFile::~BulkFile() = default;

bool BulkFile::Next(os::BulkRequestBody& item) {
  if (!impl_->ReadLine()) return false;
  impl_->item_line = impl_->line;
  impl_->ends_item = false;
  if (impl_->format == BulkFormat::kAuto) {
    impl_->format = Impl::IsAction(impl_->Parse()) ? BulkFormat::kActions : BulkFormat::kDocuments;
  }
  try {
    if (impl_->format == BulkFormat::kActions) {
      impl_->FillAction(item);
    } else {
      impl_->ends_item = true;
      impl_->FillDocument(item);
    }
  } catch (const simdjson::simdjson_error& error) {
    impl_->Fail(error.what());
  } catch (const std::invalid_argument& error) {
    impl_->Fail(error.what());
  }
  return true;
}

uint64_t BulkFile::bytes() const { return impl_->bytes; }
uint64_t BulkFile::line() const { return impl_->item_line; }

}  // namespace curlew::cli
