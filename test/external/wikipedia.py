#!/usr/bin/env python3
"""Loads enwiki-100k through Bulk and answers the 962 queries of the search benchmark game; prints figures.

  wikipedia.py --server HOST:PORT --data FOLDER --pid SERVER_PID
"""
import argparse
import collections
import json
import os
import subprocess
import time

import grpc
from opensearch.protobufs.schemas import common_pb2 as pb

from admin import Admin

INDEX = "external-wikipedia"
SERVICE = "/org.opensearch.protobufs.services."


def rss_megabytes(pid):
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmRSS"))


def bulk_requests(path):
    batch = []
    process = subprocess.Popen(["zstd", "-dcq", path], stdout=subprocess.PIPE)
    for line in process.stdout:
        document = json.loads(line)
        id_ = str(document.pop("id"))
        batch.append(pb.BulkRequestBody(
            operation_container=pb.OperationContainer(index=pb.IndexOperation(x_id=id_)),
            object=json.dumps(document, ensure_ascii=False).encode()))
        if len(batch) == 1000:
            yield pb.BulkRequest(index=INDEX, bulk_request_body=batch).SerializeToString()
            batch = []
    if batch:
        yield pb.BulkRequest(index=INDEX, bulk_request_body=batch).SerializeToString()


def to_query(text, tags):
    words = text.replace("+", " ").replace('"', " ").split()
    negated = [w[1:] for w in words if w.startswith("-")]
    text = " ".join(w for w in words if not w.startswith("-"))
    kind = "phrase" if "phrase" in tags else "intersection" if "intersection" in tags else "union"
    if kind == "phrase":
        query = pb.QueryContainer(match_phrase=pb.MatchPhraseQuery(field="body", query=text))
    else:
        match = pb.MatchQuery(field="body", query=pb.FieldValue(string=text))
        if kind == "intersection":
            match.operator = pb.OPERATOR_AND
        query = pb.QueryContainer(match=match)
    if not negated:
        return kind, query
    without = pb.QueryContainer(match=pb.MatchQuery(field="body", query=pb.FieldValue(string=" ".join(negated))))
    return "negated", pb.QueryContainer(bool=pb.BoolQuery(must=[query], must_not=[without]))


def queries(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            entry = json.loads(line)
            kind, query = to_query(entry["query"], entry.get("tags", []))
            yield kind, pb.SearchRequest(index=[INDEX], search_request_body=pb.SearchRequestBody(
                size=10, x_source=pb.SourceConfig(fetch=False), query=query)).SerializeToString()


def timed(search, request):
    start = time.perf_counter()
    response = search(request)
    return (time.perf_counter() - start) * 1e3, response.hits.total.total_hits.value


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--server", default="127.0.0.1:9400")
    arguments.add_argument("--data", required=True)
    arguments.add_argument("--pid", type=int, required=True)
    options = arguments.parse_args()
    channel = grpc.insecure_channel(options.server, options=[("grpc.max_receive_message_length", -1),
                                                             ("grpc.max_send_message_length", -1)])
    admin = Admin(channel)
    admin.delete_index(INDEX)
    admin.create_index(INDEX, {"settings": {"number_of_shards": 1, "number_of_replicas": 0}, "mappings": {
        "properties": {"title": {"type": "text"}, "body": {"type": "text"}}}})
    bulk = channel.unary_unary(SERVICE + "DocumentService/Bulk", response_deserializer=pb.BulkResponse.FromString)
    search = channel.unary_unary(SERVICE + "SearchService/Search", response_deserializer=pb.SearchResponse.FromString)
    requests = list(bulk_requests(os.path.join(options.data, "corpora/enwiki-100k.jsonl.zst")))
    start = time.perf_counter()
    count = 0
    for request in requests:
        response = bulk(request)
        assert not response.errors, str(response)[:500]
        count += len(response.items)
    seconds = time.perf_counter() - start
    admin.refresh(INDEX)
    stats = admin.stats(INDEX)
    print(f"loaded {count} documents in {seconds:.1f} s ({count / seconds:.0f}/s), {stats.segments_count} segments, "
          f"{stats.store_bytes / 1e6:.1f} MB, RSS {rss_megabytes(options.pid):.0f} MB", flush=True)
    latencies, hits = collections.defaultdict(list), collections.Counter()
    for kind, request in queries(os.path.join(options.data, "queries/search-benchmark-game.jsonl")):
        best, total = min(timed(search, request) for _ in range(5))
        latencies[kind].append(best)
        hits[kind] += total
    for kind in sorted(latencies):
        values = sorted(latencies[kind])
        print(f"{kind}: {len(values)} queries, p50 {values[len(values) // 2]:.3f} ms, "
              f"p99 {values[int(len(values) * 0.99)]:.3f} ms, {hits[kind]} hits counted", flush=True)
    print(f"RSS {rss_megabytes(options.pid):.0f} MB")


if __name__ == "__main__":
    main()
