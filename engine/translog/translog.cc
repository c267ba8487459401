#include "engine/translog/translog.h"

#include <utility>

#include "engine/translog/log_core.h"
#include "engine/util/error.h"

namespace curlew::translog {
namespace {

// Joins a log to the writer thread that serves it.
class GroupCommitTranslog : public Translog {
 public:
  GroupCommitTranslog(std::shared_ptr<LogCore> core, std::shared_ptr<LogWriter> writer)
      : core_(std::move(core)), writer_(std::move(writer)) {}
  ~GroupCommitTranslog() override { core_->Abandon(); }

  absl::Status Replay(uint64_t from_generation, const OperationVisitor& visit) override {
    return core_->Replay(from_generation, visit);
  }

  absl::Status CheckSize(std::string_view id, std::string_view routing,
                         std::string_view source) const override {
    return core_->CheckSize(id, routing, source);
  }

  absl::StatusOr<Ticket> Append(const Operation& operation) override {
    bool schedule = false;
    auto ticket = core_->Append(operation, schedule);
    if (schedule) writer_->Schedule(core_);
    return ticket;
  }

  absl::Status WaitDurable(Ticket ticket) override {
    if (core_->Request(ticket)) writer_->Schedule(core_);
    return core_->WaitDurable(ticket);
  }

  absl::StatusOr<uint64_t> Roll() override {
    bool schedule = false;
    CURLEW_ASSIGN_OR_RETURN(const uint64_t generation, core_->RequestRoll(schedule));
    if (schedule) writer_->Schedule(core_);
    CURLEW_RETURN_IF_ERROR(core_->WaitGeneration(generation));
    return generation;
  }

  absl::Status TrimBefore(uint64_t generation) override { return core_->TrimBefore(generation); }

  Ticket last_ticket() const override { return core_->last_ticket(); }
  absl::Status status() const override { return core_->status(); }
  absl::Status shortage() const override { return core_->shortage(); }
  TranslogStats stats() const override { return core_->stats(); }

  absl::Status Close() override {
    if (core_->RequestClose()) writer_->Schedule(core_);
    return core_->WaitClosed();
  }

 private:
  const std::shared_ptr<LogCore> core_;
  const std::shared_ptr<LogWriter> writer_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<Translog>> Translog::Open(
    std::shared_ptr<store::Directory> directory, std::shared_ptr<LogWriter> writer,
    const TranslogOptions& options) {
  CURLEW_ASSIGN_OR_RETURN(auto core, LogCore::Open(std::move(directory), options));
  return std::make_shared<GroupCommitTranslog>(std::move(core), std::move(writer));
}

}  // namespace curlew::translog
