// Answers every Search with the bytes of a file: what the wire and gRPC alone cost.
//   curlew_echo --listen HOST:PORT --response FILE
#include <grpcpp/grpcpp.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "protos/opensearch/services/search_service.grpc.pb.h"

namespace {

using org::opensearch::protobufs::services::SearchService;

class Echo : public SearchService::WithRawCallbackMethod_Search<SearchService::Service> {
 public:
  explicit Echo(const std::string& bytes) : slice_(bytes) {}

  grpc::ServerUnaryReactor* Search(grpc::CallbackServerContext* context, const grpc::ByteBuffer*,
                                   grpc::ByteBuffer* response) override {
    *response = grpc::ByteBuffer(&slice_, 1);
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }

 private:
  grpc::Slice slice_;
};

}  // namespace

int main(int argc, char** argv) {
  std::string listen = "127.0.0.1:0", file;
  CLI::App app("Answers every Search with prepared bytes");
  app.add_option("--listen", listen, "HOST:PORT; port 0 picks one");
  app.add_option("--response", file, "file with the bytes")->required();
  CLI11_PARSE(app, argc, argv);

  std::ifstream in(file, std::ios::binary);
  Echo service(std::string(std::istreambuf_iterator<char>(in), {}));
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort(listen, grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&service);
  const auto server = builder.BuildAndStart();
  if (server == nullptr) return 1;
  std::cout << "echo listening on " << listen.substr(0, listen.rfind(':')) << ":" << port
            << std::endl;
  server->Wait();
}
