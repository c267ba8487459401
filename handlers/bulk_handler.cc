#include "handlers/bulk_handler.h"

#include <fmt/format.h>
#include <google/protobuf/arena.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "engine/catalog/bulk.h"
#include "engine/util/error.h"
#include "handlers/guard.h"
#include "proto_utils/request/bulk_request.h"
#include "proto_utils/response/bulk_response.h"
#include "protos/opensearch/bulk_request.pb.h"
#include "protos/opensearch/bulk_response.pb.h"

namespace curlew::handlers {
namespace {

using Clock = std::chrono::steady_clock;

// A bulk request under way. Shared with the engine's callback, which may come after the handler has
// returned; the items view into the call's request.
struct Run {
  CallPtr call;
  Clock::time_point start = Clock::now();
  proto_utils::ConvertedBulk bulk;
  std::vector<catalog::BulkItemResult> results;

  // Of a request with items that failed before: the others, which go to the engine, and where they
  // stand in the request.
  std::vector<catalog::BulkItem> good;
  std::vector<catalog::BulkItemResult> good_results;
  std::vector<size_t> places;
};

// What an operation takes beside its part of the request, from its conversion to the bytes of the
// response: 3.2 KB were measured for the most costly kind, one that fails.
constexpr int64_t kBytesPerOperation = 4096;

// Documents that updates answer with stand in the results, in the response and in its bytes.
int64_t BytesOfSources(const std::vector<catalog::BulkItemResult>& results) {
  int64_t bytes = 0;
  for (const catalog::BulkItemResult& result : results) {
    if (result.result.get_source) bytes += static_cast<int64_t>(result.result.get_source->size());
  }
  return 3 * bytes;
}

void Finish(Run& run) {
  const absl::Status status = Guard([&run] {
    for (size_t i = 0; i < run.places.size(); ++i) {
      run.bulk.items[run.places[i]].generated_id = std::move(run.good[i].generated_id);
      run.results[run.places[i]] = std::move(run.good_results[i]);
    }
    if (!run.call->Charge(BytesOfSources(run.results))) {
      return NotEnoughMemory("the documents that updates ask for; the operations are done");
    }
    const int64_t took =
        std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - run.start).count();
    auto* response =
        google::protobuf::Arena::CreateMessage<org::opensearch::protobufs::BulkResponse>(
            run.call->arena());
    proto_utils::FillBulkResponse(run.bulk, run.results, took, *response);
    run.call->Finish(*response);
    return absl::OkStatus();
  });
  if (!status.ok()) run.call->FinishError(status);
}

absl::Status Start(catalog::Catalog& catalog, const CallPtr& call) {
  CURLEW_RETURN_IF_ERROR(call->cancel().Check());
  auto run = std::make_shared<Run>();
  run->call = call;
  const auto& request =
      static_cast<const org::opensearch::protobufs::BulkRequest&>(call->request());
  if (!call->Charge(kBytesPerOperation * request.bulk_request_body_size())) {
    return NotEnoughMemory(fmt::format("[{}] operations", request.bulk_request_body_size()));
  }
  CURLEW_RETURN_IF_ERROR(proto_utils::ConvertBulkRequest(request, run->bulk));
  std::vector<catalog::BulkItem>& items = run->bulk.items;
  run->results.resize(items.size());

  const auto& errors = run->bulk.item_errors;
  const auto done = [run] { Finish(*run); };
  if (std::all_of(errors.begin(), errors.end(), [](const absl::Status& e) { return e.ok(); })) {
    catalog::ExecuteBulk(catalog, items, run->bulk.refresh, run->results, done, &call->cancel());
    return absl::OkStatus();
  }
  for (size_t i = 0; i < items.size(); ++i) {
    if (!errors[i].ok()) continue;
    run->good.push_back(items[i]);
    run->places.push_back(i);
  }
  run->good_results.resize(run->good.size());
  if (run->good.empty()) {
    done();
  } else {
    catalog::ExecuteBulk(catalog, run->good, run->bulk.refresh, run->good_results, done,
                         &call->cancel());
  }
  return absl::OkStatus();
}

}  // namespace

void HandleBulk(catalog::Catalog& catalog, const CallPtr& call) {
  const absl::Status status = Guard([&] { return Start(catalog, call); });
  if (!status.ok()) call->FinishError(status);
}

}  // namespace curlew::handlers
