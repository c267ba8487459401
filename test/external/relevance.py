#!/usr/bin/env python3
"""Ranks the judged collections through the gRPC API and compares the measures with Lucene's.

  relevance.py --server HOST:PORT --data FOLDER [collection...]

FOLDER holds <collection>/{docs.jsonl.zst, queries.tsv, qrels.txt}. Measures as trec_eval -c computes them.
"""
import argparse
import collections
import json
import math
import os
import subprocess
import sys

import grpc
from opensearch.protobufs.schemas import common_pb2 as pb
from opensearch.protobufs.services import document_service_pb2_grpc, search_service_pb2_grpc

from admin import Admin

# Lucene 10, BM25 k1 1.2 b 0.75: nDCG@10, MAP, R@100.
EXPECTED = {
    ("cranfield", "standard"): (0.3605, 0.2772, 0.6985), ("cranfield", "english"): (0.3839, 0.3053, 0.7358),
    ("cisi", "standard"): (0.3371, 0.1766, 0.4025), ("cisi", "english"): (0.3710, 0.2083, 0.4345),
    ("cacm", "standard"): (0.4006, 0.2815, 0.6205), ("cacm", "english"): (0.4705, 0.3262, 0.6745),
    ("npl", "standard"): (0.3577, 0.2127, 0.4637), ("npl", "english"): (0.4326, 0.2855, 0.6021),
}
DEPTH = 1000


def read_documents(path):
    lines = subprocess.run(["zstd", "-dcq", path], capture_output=True, check=True).stdout
    for line in lines.splitlines():
        document = json.loads(line)
        yield str(document["id"]), document.get("title", "") + " " + document.get("text", "")


def read_queries(path):
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t", 1) for line in file if line.strip()]


def read_qrels(path):
    qrels = collections.defaultdict(dict)
    with open(path, encoding="utf-8") as file:
        for line in file:
            query, _, document, grade = line.split()
            qrels[query][document] = int(grade)
    return qrels


def load(stub, index, documents):
    for start in range(0, len(documents), 1000):
        response = stub.Bulk(pb.BulkRequest(index=index, bulk_request_body=[
            pb.BulkRequestBody(operation_container=pb.OperationContainer(index=pb.IndexOperation(x_id=id_)),
                               object=json.dumps({"body": text}).encode())
            for id_, text in documents[start:start + 1000]]))
        assert not response.errors, str(response)[:500]


def rank(stub, index, text):
    request = pb.SearchRequest(index=[index], search_request_body=pb.SearchRequestBody(
        size=DEPTH, x_source=pb.SourceConfig(fetch=False),
        query=pb.QueryContainer(match=pb.MatchQuery(field="body", query=pb.FieldValue(string=text)))))
    hits = [(hit.x_score.double, hit.x_id) for hit in stub.Search(request).hits.hits]
    # trec_eval orders for itself: by score, ties by document name, both descending.
    return [document for _, document in sorted(hits, reverse=True)]


def ndcg(ranking, grades, cut):
    gain = sum(max(0, grades.get(d, 0)) / math.log2(i + 2) for i, d in enumerate(ranking[:cut]))
    ideal = sorted((g for g in grades.values() if g > 0), reverse=True)[:cut]
    best = sum(g / math.log2(i + 2) for i, g in enumerate(ideal))
    return gain / best if best else 0.0


def average_precision(ranking, grades):
    relevant = sum(g > 0 for g in grades.values())
    found, total = 0, 0.0
    for i, document in enumerate(ranking):
        if grades.get(document, 0) > 0:
            found += 1
            total += found / (i + 1)
    return total / relevant if relevant else 0.0


def recall(ranking, grades, cut):
    relevant = sum(g > 0 for g in grades.values())
    return sum(grades.get(d, 0) > 0 for d in ranking[:cut]) / relevant if relevant else 0.0


def measure(stub, index, queries, qrels):
    sums = [0.0, 0.0, 0.0]
    for query, grades in qrels.items():
        ranking = rank(stub, index, queries[query]) if query in queries else []
        sums[0] += ndcg(ranking, grades, 10)
        sums[1] += average_precision(ranking, grades)
        sums[2] += recall(ranking, grades, 100)
    return tuple(round(value / len(qrels), 4) for value in sums)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--server", default="127.0.0.1:9400")
    arguments.add_argument("--data", required=True)
    arguments.add_argument("collections", nargs="*", default=["cranfield", "cisi", "cacm", "npl"])
    options = arguments.parse_args()
    channel = grpc.insecure_channel(options.server, options=[("grpc.max_receive_message_length", -1)])
    bulk = document_service_pb2_grpc.DocumentServiceStub(channel)
    search = search_service_pb2_grpc.SearchServiceStub(channel)
    admin = Admin(channel)
    bad = 0
    for name in options.collections:
        folder = os.path.join(options.data, name)
        documents = list(read_documents(os.path.join(folder, "docs.jsonl.zst")))
        queries = read_queries(os.path.join(folder, "queries.tsv"))
        qrels = read_qrels(os.path.join(folder, "qrels.txt"))
        if name == "cranfield":  # judged by position in the file, not by the query's own number
            queries = [(str(i + 1), text) for i, (_, text) in enumerate(queries)]
        for analyzer in ("standard", "english"):
            index = f"relevance-{name}-{analyzer}"
            admin.delete_index(index)
            admin.create_index(index, {"settings": {"number_of_shards": 1, "number_of_replicas": 0}, "mappings": {
                "properties": {"body": {"type": "text", "analyzer": analyzer}}}})
            load(bulk, index, documents)
            admin.refresh(index)
            got, want = measure(search, index, dict(queries), qrels), EXPECTED[name, analyzer]
            bad += got != want
            print(f"{'ok  ' if got == want else 'FAIL'} {name} {analyzer}: nDCG@10 {got[0]:.4f} MAP {got[1]:.4f} "
                  f"R@100 {got[2]:.4f}" + ("" if got == want else f", want {want}"), flush=True)
            admin.delete_index(index)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
