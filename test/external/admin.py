"""Curlew's index administration for tests, over reflection: no generated code is needed."""
import json

from google.protobuf import descriptor_pool, message_factory
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase


class Admin:
    def __init__(self, channel):
        self._channel = channel
        self._pool = descriptor_pool.DescriptorPool(ProtoReflectionDescriptorDatabase(channel))

    def call(self, method, **fields):
        service = self._pool.FindServiceByName("curlew.admin.v1.IndexService")
        descriptor = service.FindMethodByName(method)
        request = message_factory.GetMessageClass(descriptor.input_type)(**fields)
        response = message_factory.GetMessageClass(descriptor.output_type)
        return self._channel.unary_unary(f"/{service.full_name}/{method}",
                                         request_serializer=lambda r: r.SerializeToString(),
                                         response_deserializer=response.FromString)(request, timeout=120)

    def create_index(self, name, body):
        return self.call("CreateIndex", index=name, body_json=json.dumps(body))

    def delete_index(self, name):
        return self.call("DeleteIndex", index=[name], ignore_unavailable=True)

    def refresh(self, name):
        return self.call("Refresh", index=[name])

    def stats(self, name):
        return self.call("IndexStats", index=[name]).indices[name]
