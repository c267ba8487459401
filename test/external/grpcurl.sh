#!/usr/bin/env bash
# grpcurl against a running server: list, describe, health, CreateIndex with a JSON body, Bulk, Search.
#   grpcurl.sh GRPCURL HOST:PORT
set -euo pipefail
grpcurl="$1" server="$2"
call() { "$grpcurl" -plaintext "$@"; }
expect() {
  local what="$1" pattern="$2"
  if grep -qE "$pattern" <<<"$out"; then echo "ok   $what"; else echo "FAIL $what: $out"; exit 1; fi
}
out=$(call "$server" list)
expect "list" 'org.opensearch.protobufs.services.SearchService'
expect "list shows health" 'grpc.health.v1.Health'
out=$(call "$server" describe org.opensearch.protobufs.SearchRequestBody)
expect "describe" 'QueryContainer query = 16'
out=$(call "$server" grpc.health.v1.Health/Check)
expect "health" 'SERVING'
call -d '{"index":["external-grpcurl"],"ignore_unavailable":true}' "$server" curlew.admin.v1.IndexService/DeleteIndex >/dev/null
out=$(call -d '{"index":"external-grpcurl","body":{"settings":{"number_of_shards":2,"number_of_replicas":0},"mappings":{"properties":{"title":{"type":"text"}}}}}' \
  "$server" curlew.admin.v1.IndexService/CreateIndex)
expect "CreateIndex" '"acknowledged": true'
document=$(printf '{"title":"the quick fox"}' | base64)
out=$(call -d "{\"index\":\"external-grpcurl\",\"refresh\":\"REFRESH_TRUE\",\"bulk_request_body\":[{\"operation_container\":{\"index\":{\"x_id\":\"1\"}},\"object\":\"$document\"}]}" \
  "$server" org.opensearch.protobufs.services.DocumentService/Bulk)
expect "Bulk" '"result": "created"'
out=$(call -d '{"index":["external-grpcurl"],"search_request_body":{"query":{"match":{"field":"title","query":{"string":"fox"}}}}}' \
  "$server" org.opensearch.protobufs.services.SearchService/Search)
expect "Search" '"xId": "1"|"x_id": "1"'
if out=$(call -d '{"index":["external-nosuch"]}' "$server" org.opensearch.protobufs.services.SearchService/Search 2>&1); then
  echo "FAIL a missing index was found"; exit 1
fi
expect "a readable error" 'no such index \[external-nosuch\]'
call -d '{"index":["external-grpcurl"]}' "$server" curlew.admin.v1.IndexService/DeleteIndex >/dev/null
