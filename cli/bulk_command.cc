#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>

#include "cli/bulk_file.h"
#include "cli/command.h"
#include "cli/connection.h"
#include "cli/printable.h"
#include "cli/progress.h"
#include "protos/curlew/admin/v1/common.pb.h"
#include "protos/curlew/admin/v1/index_service.grpc.pb.h"
#include "protos/opensearch/bulk_response.pb.h"
#include "protos/opensearch/errors.pb.h"
#include "protos/opensearch/services/document_service.grpc.pb.h"

namespace curlew::cli {
namespace {

namespace os = org::opensearch::protobufs;

struct Options {
  std::string file;
  std::string index;
  std::string format = "auto";
  std::string id_field;
  size_t batch_documents = 1000;
  size_t batch_bytes = 4 << 20;  // below the 10 MB that a server takes by default
  bool refresh = false;
  size_t show_errors = 10;
};

const os::ResponseItem& ItemOf(const os::Item& item) {
  switch (item.item_case()) {
    case os::Item::kCreate:
      return item.create();
    case os::Item::kUpdate:
      return item.update();
    case os::Item::kDelete:
      return item.delete_();
    default:
      return item.index();
  }
}

// Sends batches one after the other (operations on one id have to stay in order) and keeps count.
class Loader {
 public:
  Loader(const Context& context, const Options& options)
      : context_(context),
        options_(options),
        documents_(os::services::DocumentService::NewStub(Connect(context))),
        indices_(admin::v1::IndexService::NewStub(Connect(context))) {
    Clear();
  }

  // Takes over what `item` says, which began at `line`; sends what is there before that, when the
  // two together would be too much.
  void Add(os::BulkRequestBody& item, uint64_t line) {
    const size_t bytes = item.ByteSizeLong() + kFrameBytes;
    if (bytes_ + bytes > options_.batch_bytes) Send();
    request_.add_bulk_request_body()->Swap(&item);
    lines_.push_back(line);
    bytes_ += bytes;
    if (lines_.size() >= options_.batch_documents) Send();
  }

  // A request that the server refuses counts as failed, and the load goes on; a server that does
  // not answer ends it.
  void Send() {
    if (lines_.empty()) return;
    os::BulkResponse response;
    const grpc::Status status = documents_->Bulk(NewCall(context_).get(), request_, &response);
    if (!status.ok()) {
      if (EndsALoad(status)) Require(status, context_);
      Refused(status);
      Clear();
      return;
    }
    for (int i = 0; i < response.items_size(); ++i) {
      const os::ResponseItem& item = ItemOf(response.items(i));
      if (!item.has_error()) {
        ++done_;
        written_.insert(item.x_index());
        continue;
      }
      const uint64_t line = lines_[static_cast<size_t>(i)];
      CountFailed(1, line, [&] {
        return fmt::format("line {}: [{}] {}: {}", line, Printable(item.x_id()),
                           item.error().type(), Printable(item.error().reason()));
      });
    }
    Clear();
  }

  // A line that makes no operation fails like one that the server refuses.
  void AddBad(const BadLine& bad) {
    CountFailed(1, bad.line(), [&] { return fmt::format("line {}: {}", bad.line(), bad.what()); });
  }

  // Of all that has been written to: the last request alone need not have reached every shard.
  void Refresh() {
    if (written_.empty()) return;
    admin::v1::IndicesRequest request;
    request.mutable_index()->Assign(written_.begin(), written_.end());
    admin::v1::BroadcastResponse response;
    Require(indices_->Refresh(NewCall(context_).get(), request, &response), context_);
  }

  uint64_t done() const { return done_; }
  uint64_t failed() const { return failed_; }
  // The first of them, a line each, as they stand in the file.
  std::string errors() const {
    std::string text;
    for (const auto& [line, error] : errors_) text += error;
    return text;
  }

 private:
  // Tag and length of an item in the request.
  static constexpr size_t kFrameBytes = 6;

  // Whether every request after this one would fare the same.
  static bool EndsALoad(const grpc::Status& status) {
    if (!IsAnswer(status)) return true;
    switch (status.error_code()) {
      case grpc::DEADLINE_EXCEEDED:
      case grpc::UNIMPLEMENTED:
      case grpc::UNAUTHENTICATED:
      case grpc::PERMISSION_DENIED:
        return true;
      default:
        return false;
    }
  }

  template <typename Text>
  void CountFailed(uint64_t count, uint64_t line, const Text& text) {
    if (failed_ < options_.show_errors) {
      errors_.emplace(line, fmt::format("  {}\n", text()));
    }
    failed_ += count;
  }

  void Refused(const grpc::Status& status) {
    CountFailed(lines_.size(), lines_.front(), [&] {
      return fmt::format("lines {} to {}: the request was refused: {}", lines_.front(),
                         lines_.back(), Readable(status.error_message()));
    });
  }

  void Clear() {
    request_.Clear();
    if (!options_.index.empty()) request_.set_index(options_.index);
    lines_.clear();
    bytes_ = 0;
  }

  const Context& context_;
  const Options& options_;
  std::unique_ptr<os::services::DocumentService::Stub> documents_;
  std::unique_ptr<admin::v1::IndexService::Stub> indices_;
  os::BulkRequest request_;
  std::vector<uint64_t> lines_;  // where each item of the request began
  size_t bytes_ = 0;
  uint64_t done_ = 0;
  uint64_t failed_ = 0;
  std::set<std::string> written_;  // names of indexes
  std::multimap<uint64_t, std::string>
      errors_;  // by line: those of a request come after it is sent
};

BulkFormat FormatOf(const std::string& name) {
  if (name == "actions") return BulkFormat::kActions;
  return name == "documents" ? BulkFormat::kDocuments : BulkFormat::kAuto;
}

void RunBulk(Context& context, const Options& options) {
  std::ifstream file;
  uint64_t size = 0;
  if (options.file != "-") {
    file.open(options.file, std::ios::binary);
    std::error_code ignored;
    if (!file || std::filesystem::is_directory(options.file, ignored)) {
      throw CommandError(kUsage, fmt::format("cannot read {}", options.file));
    }
    size = std::filesystem::file_size(options.file, ignored);
    if (ignored) size = 0;
  }
  BulkFile lines(options.file == "-" ? std::cin : file, FormatOf(options.format), options.id_field);
  Loader loader(context, options);
  Progress progress(size);
  const auto start = std::chrono::steady_clock::now();
  const auto finish = [&] {
    progress.Finish();
    if (loader.failed() > 0) {
      std::cerr << fmt::format("{} documents failed{}:\n{}", loader.failed(),
                               loader.failed() > options.show_errors
                                   ? fmt::format(", the first {}", options.show_errors)
                                   : "",
                               loader.errors());
      context.exit_code = kFailed;
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::cout << fmt::format("{} documents in {:.2f} s ({:.0f}/s)\n", loader.done(), seconds,
                             static_cast<double>(loader.done()) / std::max(seconds, 1e-3));
  };
  std::optional<CommandError> broken;  // a line behind which nothing can be read
  os::BulkRequestBody item;
  const auto next = [&] {
    for (;;) {
      try {
        item.Clear();
        return lines.Next(item);
      } catch (const BadLine& bad) {
        loader.AddBad(bad);
      } catch (const CommandError& error) {
        broken = error;
        return false;
      }
    }
  };
  try {
    while (next()) {
      loader.Add(item, lines.line());
      progress.Update(lines.bytes(), loader.done());
    }
    // What stands before a broken line is loaded, so that the file can be resumed from there.
    loader.Send();
    if (options.refresh) loader.Refresh();
  } catch (const CommandError&) {
    finish();
    throw;
  }
  finish();
  if (broken.has_value()) throw *broken;
}

}  // namespace

void AddBulkCommand(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("bulk", "Loads a file of documents");
  command->add_option("file", options->file, "The file (- = standard input)")->required();
  command->add_option("--index", options->index, "Index of lines that do not name one");
  command
      ->add_option(
          "--format", options->format,
          "actions: REST's action and source lines; documents: a document a line; auto: by "
          "the first line")
      ->check(CLI::IsMember({"auto", "actions", "documents"}))
      ->capture_default_str();
  command->add_option("--id-field", options->id_field,
                      "documents: the member that becomes the id (none: ids are generated)");
  command->add_option("--batch", options->batch_documents, "Documents a request, at most")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_flag("--refresh", options->refresh, "Make the documents searchable at the end");
  command->add_option("--show-errors", options->show_errors, "How many failures to list")
      ->capture_default_str();
  command->callback([&context, options] { RunBulk(context, *options); });
}

}  // namespace curlew::cli
