#!/usr/bin/env bash
# The build's identity follows the repository from build to build, and may be given from outside.
#   build_id.sh CMAKE
set -euo pipefail
cmake="$1"
script=$(cd "$(dirname "$0")/../.." && pwd)/cmake/BuildId.cmake
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset CURLEW_BUILD
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
fail() { echo "FAILED: $*"; cat "$folder/id.h"; exit 1; }
git() { command git -C "$folder" -c user.name=t -c user.email=t@example.org "$@"; }
run() { "$cmake" -DSOURCE="$folder" -DOUT="$folder/id.h" -P "$script"; }
id() { sed -nE 's/#define CURLEW_BUILD "(.*)"/\1/p' "$folder/id.h"; }

run
[ "$(id)" = unknown ] || fail "no repository, and yet an identity"
git init -q
git commit -q --allow-empty -m one
run
[ "$(id)" = "$(git rev-parse --short=12 HEAD)" ] || fail "not the first commit"
touch -d '2001-01-01' "$folder/id.h"
run
[ "$(date -r "$folder/id.h" +%Y)" = 2001 ] || fail "written without a change: everything would be built again"
git commit -q --allow-empty -m two
run
[ "$(id)" = "$(git rev-parse --short=12 HEAD)" ] || fail "still the first commit"
CURLEW_BUILD=release-7 run
[ "$(id)" = release-7 ] || fail "CURLEW_BUILD is not taken"
echo "passed"
