#!/usr/bin/env bash
# scripts/run --demo beside other servers, over data of its user's, and when something fails.
#   run_demo.sh BIN    BIN: the folder with curlewd and curlewctl
set -uo pipefail
bin=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
pids=()
cleanup() {
  for pid in "${pids[@]}"; do kill -9 "$pid" 2>/dev/null; done
  rm -rf "$folder"
}
trap cleanup EXIT
fail() { echo "FAILED: $*"; cat "$folder"/*.out 2>/dev/null; exit 1; }

# start NAME COMMAND...: runs it in the background with its output in NAME.out, waits for the line
# that says where it serves, and sets `pid` and `address`.
start() {
  local out="$folder/$1.out"
  shift
  "$@" >"$out" 2>&1 &
  pid=$!
  pids+=("$pid")
  for _ in $(seq 600); do
    address=$(sed -nE 's/^curlewd listening on ([^ ]+) .*/\1/p' "$out")
    [ -n "$address" ] && return
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  fail "$* did not start"
}
wait_for_line() {  # NAME TEXT
  for _ in $(seq 600); do
    grep -q "$2" "$folder/$1.out" && return
    sleep 0.1
  done
  fail "$1 never said: $2"
}
demo() { env CURLEW_BIN="${demo_bin:-$bin}" CURLEW_DATA="$1" CURLEW_LISTEN="$2" scripts/run --demo; }
count() { "$bin/curlewctl" --server "$1" search films --size 0; }

# Somebody else's server holds the port, and an index of that name.
start other "$bin/curlewd" --data "$folder/other" --listen 127.0.0.1:0
other=$address
echo '{"mine":1}' | "$bin/curlewctl" --server "$other" bulk - --index films --refresh >/dev/null || fail bulk
demo "$folder/demo" "$other" >"$folder/taken.out" 2>&1 && fail "a port that is taken is no error"
count "$other" | grep -q '^1 hit ' || fail "the other server's films were touched"

# A free port; the sample is loaded; SIGTERM ends it well.
start first env CURLEW_BIN="$bin" CURLEW_DATA="$folder/demo" CURLEW_LISTEN=127.0.0.1:0 scripts/run --demo
wait_for_line first '^Serving on '
count "$address" | grep -q '^1000 hits ' || fail "the films are not there"
echo '{"mine":1}' | "$bin/curlewctl" --server "$address" bulk - --index films --refresh >/dev/null || fail bulk
kill -TERM "$pid"
wait "$pid" || fail "exit code $? after SIGTERM"

# A second start leaves what its user has added.
start second env CURLEW_BIN="$bin" CURLEW_DATA="$folder/demo" CURLEW_LISTEN=127.0.0.1:0 scripts/run --demo
wait_for_line second '^Serving on '
count "$address" | grep -q '^1001 hits ' || fail "the second start has changed films"
kill -TERM "$pid"
wait "$pid" || fail "exit code $? after the second SIGTERM"

# Whatever fails takes the server with it.
mkdir "$folder/broken"
ln -s "$bin/curlewd" "$folder/broken/curlewd"
printf '#!/bin/sh\nexit 1\n' >"$folder/broken/curlewctl"
chmod +x "$folder/broken/curlewctl"
demo_bin="$folder/broken" demo "$folder/broken-data" 127.0.0.1:0 >"$folder/broken.out" 2>&1 &&
  fail "a failing step is no error"
address=$(sed -nE 's/^curlewd listening on ([^ ]+) .*/\1/p' "$folder/broken.out")
[ -n "$address" ] || fail "the server of the failing demo did not start"
"$bin/curlewctl" --server "$address" health >/dev/null 2>&1 && fail "the server outlived a failing demo"
echo "passed"
