#!/usr/bin/env bash
# The Dockerfile's steps in a scratch root instead of a container engine: its final stage on a bare
# Debian 12, then its user, environment, ENTRYPOINT, HEALTHCHECK and STOPSIGNAL.
#   image.sh    needs root, debootstrap and a Debian mirror; exit code 77 says that it has them not
set -uo pipefail
cd "$(dirname "$0")/../.."
[ "$(id -u)" -eq 0 ] && command -v debootstrap >/dev/null || { echo "needs root and debootstrap"; exit 77; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/curlew-image-XXXXXX")
pid=
cleanup() {
  if [ -n "$pid" ]; then kill -9 "$pid" 2>/dev/null; fi
  rm -rf --one-file-system "$scratch"
}
trap cleanup EXIT
fail() { echo "FAIL $*"; cat "$scratch"/*.log 2>/dev/null | tail -n 40; exit 1; }

root="$scratch/root"
# The mirror that this machine uses.
mirror=$(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null |
  awk '/^URIs:/{print $2; exit} /^deb /{print $2; exit}')
debootstrap --variant=minbase --include=ca-certificates bookworm "$root" ${mirror:+"$mirror"} >"$scratch/debootstrap.log" 2>&1 ||
  { tail -n 3 "$scratch/debootstrap.log"; echo "no Debian 12 could be had"; exit 77; }
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null
chmod 755 "$scratch"

# The first stage's RUN, on this machine: what it installs is what scripts/setup installs anyway.
build=$(sed -nE 's/^RUN (deploy\/image build .*)/\1/p' Dockerfile)
[ -n "$build" ] || fail "the Dockerfile has no build step"
[[ "$build" = *" stage /image" ]] || fail "unexpected form of the build step: $build"
bash -ec "$(sed "s| stage /image| stage $scratch/image|" <<<"$build")" >"$scratch/build.log" 2>&1 || fail "build step"
echo "ok   build stage"
cp -a "$scratch/image/." "$root/"
install=$(sed -nE 's/^RUN (deploy\/image install.*)/\1/p' Dockerfile)
[ -n "$install" ] || fail "the Dockerfile has no install step"
chroot "$root" sh -ec "$install" >"$scratch/install.log" 2>&1 || fail "install step"
[ ! -e "$root/deploy" ] && [ ! -e "$root/scripts" ] || fail "build files are left in the image"
echo "ok   final stage"

user=$(sed -nE 's/^USER (.*)/\1/p' Dockerfile)
# A port of its own: the network is this machine's.
env=(CURLEW_DATA=/data CURLEW_LISTEN=127.0.0.1:19400)
entry=$(sed -nE 's/^ENTRYPOINT \["(.*)"\]/\1/p' Dockerfile)
health=$(sed -nE 's/^HEALTHCHECK .* CMD (.*)/\1/p' Dockerfile)
[ -n "$user" ] && [ -n "$entry" ] && [ -n "$health" ] || fail "the Dockerfile is not as this test knows it"
chroot --userspec="$user" "$root" env "${env[@]}" "$entry" >"$scratch/server.log" 2>&1 &
pid=$!
for _ in $(seq 100); do
  grep -q '^curlewd listening on ' "$scratch/server.log" && break
  kill -0 "$pid" 2>/dev/null || fail "the server did not start"
  sleep 0.1
done
chroot --userspec="$user" "$root" env "${env[@]}" sh -c "$health" >"$scratch/health.log" 2>&1 || fail "health check"
grep -q '^SERVING$' "$scratch/health.log" || fail "health check says something else"
chroot --userspec="$user" "$root" env CURLEW_LISTEN=127.0.0.1:1 sh -c "$health" >/dev/null 2>&1 &&
  fail "the health check does not look where the server listens"
echo "ok   serves as $user, healthy"
kill -s "$(sed -nE 's/^STOPSIGNAL SIG(.*)/\1/p' Dockerfile)" "$pid"
wait "$pid" || fail "exit code $? after the stop signal"
pid=
echo "ok   stops cleanly"
