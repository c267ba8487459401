#!/usr/bin/env python3
"""The official Python stubs against a running server: Bulk, Search, errors.

  stubs.py --server HOST:PORT
"""
import argparse
import json
import sys

import grpc
from google.protobuf import json_format
from opensearch.protobufs.schemas import common_pb2 as pb
from opensearch.protobufs.services import document_service_pb2_grpc, search_service_pb2_grpc

from admin import Admin

INDEX = "external-stubs"
failures = []


def check(what, ok, shown=""):
    print(f"{'ok  ' if ok else 'FAIL'} {what}" + ("" if ok else f": {shown}"), flush=True)
    if not ok:
        failures.append(what)


def operation(document=None, **container):
    body = pb.BulkRequestBody(operation_container=pb.OperationContainer(**container))
    if document is not None:
        body.object = json.dumps(document).encode()
    return body


def refused(call, request):
    try:
        call(request)
    except grpc.RpcError as error:
        return error.code()
    return grpc.StatusCode.OK


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--server", default="127.0.0.1:9400")
    channel = grpc.insecure_channel(arguments.parse_args().server)
    documents = document_service_pb2_grpc.DocumentServiceStub(channel)
    search = search_service_pb2_grpc.SearchServiceStub(channel)
    admin = Admin(channel)
    admin.delete_index(INDEX)

    update = pb.BulkRequestBody(
        operation_container=pb.OperationContainer(update=pb.UpdateOperation(x_id="1")),
        update_action=pb.UpdateAction(doc=b'{"seen":true}'))
    response = documents.Bulk(pb.BulkRequest(index=INDEX, refresh=pb.REFRESH_TRUE, bulk_request_body=[
        operation({"title": "The quick brown fox", "year": 1999}, index=pb.IndexOperation(x_id="1")),
        operation({"title": "Lazy dog"}, create=pb.WriteOperation(x_id="2")),
        operation({"title": "Again"}, create=pb.WriteOperation(x_id="2")),
        update,
        operation(delete=pb.DeleteOperation(x_id="3")),
        operation({"title": "no id"}, index=pb.IndexOperation())]))
    items = [getattr(item, item.WhichOneof("item")) for item in response.items]
    check("one failure among six items", response.errors and [i.HasField("error") for i in items] ==
          [False, False, True, False, False, False], str(response)[:400])
    check("results", [i.result for i in items if not i.HasField("error")] ==
          ["created", "created", "updated", "not_found", "created"], str(items)[:400])
    check("status numbers are gRPC codes", [i.status for i in items] == [0, 0, 10, 0, 5, 0])
    check("a generated id has 20 characters", len(items[5].x_id) == 20, items[5].x_id)

    found = search.Search(pb.SearchRequest(index=[INDEX], search_request_body=pb.SearchRequestBody(
        query=pb.QueryContainer(match=pb.MatchQuery(field="title", query=pb.FieldValue(string="quick dog"))),
        version=True, seq_no_primary_term=True)))
    check("two hits", found.hits.total.total_hits.value == 2, json_format.MessageToJson(found)[:400])
    hit = next(h for h in found.hits.hits if h.x_id == "1")
    check("the merged source", json.loads(hit.x_source) ==
          {"title": "The quick brown fox", "year": 1999, "seen": True}, hit.x_source)
    check("version and sequence number", (hit.x_version, hit.x_seq_no) == (2, 2), str(hit))

    check("a missing index is NOT_FOUND", refused(search.Search, pb.SearchRequest(index=["external-nosuch"])) ==
          grpc.StatusCode.NOT_FOUND)
    check("an unserved field is UNIMPLEMENTED", refused(search.Search, pb.SearchRequest(
        index=[INDEX], search_request_body=pb.SearchRequestBody(explain=True))) == grpc.StatusCode.UNIMPLEMENTED)
    malformed = channel.unary_unary("/org.opensearch.protobufs.services.SearchService/Search")
    check("malformed bytes are INVALID_ARGUMENT", refused(malformed, b"\xff\xff\xff") ==
          grpc.StatusCode.INVALID_ARGUMENT)
    admin.delete_index(INDEX)
    print(f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
