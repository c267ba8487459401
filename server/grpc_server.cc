#include "server/grpc_server.h"

#include <google/protobuf/message.h>
#include <grpc/grpc.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "engine/util/error.h"
#include "protos/grpc/health/v1/health.pb.h"

namespace curlew::server {
namespace {

// Once no call of ours runs, what keeps gRPC's shutdown waiting is connections that have just come
// up; and before that, clients that do not read their answers. This is their time.
constexpr std::chrono::milliseconds kLinger{500};
constexpr std::chrono::milliseconds kLook{10};
// For what the health service says last to reach those who watch it.
constexpr std::chrono::milliseconds kFarewell{100};

// Health and reflection are gRPC's own services, synchronous ones among them; without a bound they
// take as many threads as clients want (thousands were measured).
constexpr int kMostSyncThreads = 32;

void EnableHealthAndReflection() {
  static std::once_flag once;
  std::call_once(once, [] {
    // Links the health service's description in, which reflection looks for by name.
    google::protobuf::LinkMessageReflection<grpc::health::v1::HealthCheckRequest>();
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  });
}

int Millis(std::chrono::milliseconds time) { return static_cast<int>(time.count()); }

}  // namespace

absl::StatusOr<std::unique_ptr<GrpcServer>> GrpcServer::Listen(const config::GrpcSettings& settings,
                                                               Admission& admission) {
  std::unique_ptr<GrpcServer> server(new GrpcServer(settings, admission));
  CURLEW_ASSIGN_OR_RETURN(server->acceptor_,
                          ConnectionAcceptor::Listen(settings.listen, settings.max_connections));
  return server;
}

GrpcServer::~GrpcServer() { Shutdown(std::chrono::milliseconds(0)); }

absl::Status GrpcServer::Start(std::vector<std::unique_ptr<DescribedService>> services) {
  EnableHealthAndReflection();
  services_ = std::move(services);
  grpc::ServerBuilder builder;
  builder.SetMaxReceiveMessageSize(static_cast<int>(settings_.max_message_bytes));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS,
                             settings_.max_concurrent_connection_calls);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS,
                             Millis(settings_.handshake_timeout));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, Millis(settings_.keepalive_time));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, Millis(settings_.keepalive_timeout));
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  // gRPC's default answers a client that pings more often than every 5 minutes with GOAWAY; many
  // clients ping every 10 to 30 seconds, also without calls.
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 9000);
  if (settings_.max_connection_idle.count() > 0) {
    builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS,
                               Millis(settings_.max_connection_idle));
  }
  grpc::ResourceQuota quota("curlew");
  quota.SetMaxThreads(kMostSyncThreads);
  builder.SetResourceQuota(quota);
  builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 1);
  for (const auto& service : services_) builder.RegisterService(service.get());
  connections_ = builder.experimental().AddExternalConnectionAcceptor(
      grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
      grpc::InsecureServerCredentials());
  server_ = builder.BuildAndStart();
  if (server_ == nullptr) return absl::InternalError("gRPC does not start; its log says why");

  grpc::HealthCheckServiceInterface* health = server_->GetHealthCheckService();
  health->SetServingStatus(true);
  for (const auto& service : services_) health->SetServingStatus(service->name(), true);
  acceptor_->Start([this](int fd) {
    grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters connection;
    connection.fd = fd;
    connections_->HandleNewConnection(&connection);
  });
  return absl::OkStatus();
}

void GrpcServer::CloseConnections() { grpc_server_cancel_all_calls(server_->c_server()); }

void GrpcServer::Shutdown(std::chrono::milliseconds grace) {
  using Clock = std::chrono::steady_clock;
  if (server_ == nullptr || std::exchange(down_, true)) return;
  server_->GetHealthCheckService()->Shutdown();
  acceptor_->Stop();
  // gRPC's own shutdown cancels the calls that are on their way while it tells the clients of it.
  // So it is not begun before the connections are closed, and until then every call gets an answer.
  RunningCalls& calls = admission_.running();
  calls.Stop();
  const auto wait_for_calls = [&](Clock::time_point end, bool patient) {
    while (calls.count() > 0 && Clock::now() < end && (patient || !impatient_)) {
      std::this_thread::sleep_for(kLook);
    }
  };
  const Clock::time_point now = Clock::now();
  wait_for_calls(grace < Clock::time_point::max() - now ? now + grace : Clock::time_point::max(),
                 /*patient=*/false);
  calls.EndAll();
  // For the answers to be sent; clients that do not read them hold nobody up.
  wait_for_calls(Clock::now() + kLinger, /*patient=*/true);
  std::this_thread::sleep_until(now + kFarewell);
  CloseConnections();
  {
    const std::jthread impatience([this](const std::stop_token& stop) {
      std::mutex mutex;
      std::condition_variable_any changed;
      std::unique_lock lock(mutex);
      if (changed.wait_for(lock, stop, kLinger, [&stop] { return stop.stop_requested(); })) return;
      // Connections that came up between the two.
      CloseConnections();
    });
    server_->Shutdown(std::chrono::system_clock::now() + kLinger);
  }
  server_->Wait();
}

}  // namespace curlew::server
