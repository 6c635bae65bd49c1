#!/usr/bin/env bash
# Prints a directory with node.tar and postgres.tar: file systems that stand for the official images of Node and PostgreSQL
# where no registry of images is reached. They are made of Debian's packages, which are unpacked and not configured, and of
# the pinned Node; and kept in .tools until this recipe changes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../.."
node=$(readlink -f "$(command -v node)")
# `.bin/node` of the pinned package is a script or a link, depending on npm; process.execPath is the program.
node=$("$node" -p process.execPath)
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
authorities=/etc/ssl/certs/ca-certificates.crt

recipe=$({ cat "$here"/*; "$node" --version; sha256sum <"$authorities"; } | sha256sum | cut -c1-16)
kept="${TOOLS_DIR:-$PWD/.tools}/base-images"
to="$kept/$recipe"
if [ -d "$to" ]; then
  echo "$to"
  exit 0
fi
mkdir -p "$kept"
work=$(mktemp -d "$kept/new-XXXXXX")
trap 'rm -rf "$work"' EXIT
mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources | head -n 1)

# unpack SUITE DIRECTORY PACKAGES: with a list of the packages, as dpkg keeps it.
unpack() {
  mmdebstrap --quiet --variant=extract --mode=root --format=directory --include="$3" \
    --aptopt='Acquire::Check-Valid-Until "false"' \
    --extract-hook='for package in "$1"/var/cache/apt/archives/*.deb; do
      dpkg-deb --field "$package"; printf "Status: install ok installed\n\n"; done >"$1/var/lib/dpkg/status"' \
    "$1" "$2" "deb $mirror $1 main" >&2
  rm -rf "$2"/usr/share/{doc,man,locale,info}
  cp "$2/usr/share/base-passwd/passwd.master" "$2/etc/passwd"
  cp "$2/usr/share/base-passwd/group.master" "$2/etc/group"
}
basics=base-files,base-passwd,bash,dash,coreutils,dpkg,findutils,grep,sed

unpack bookworm "$work/node" "$basics,libstdc++6" &
unpack forky "$work/postgres" "$basics,postgresql-18,util-linux" &
wait -n
wait -n

echo 'node:x:1000:1000::/home/node:/bin/bash' >>"$work/node/etc/passwd"
echo 'node:x:1000:' >>"$work/node/etc/group"
mkdir -p "$work/node/usr/local/bin" "$work/node/usr/local/lib/node_modules" "$work/node/etc/ssl/certs" "$work/node/tmp"
cp "$node" "$work/node/usr/local/bin/node"
cp -R "$npm" "$work/node/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/node/usr/local/bin/npm"
cp "$authorities" "$work/node$authorities"

echo 'postgres:x:999:999::/var/lib/postgresql:/bin/bash' >>"$work/postgres/etc/passwd"
echo 'postgres:x:999:' >>"$work/postgres/etc/group"
mkdir -p "$work/postgres/usr/local/bin" "$work/postgres/tmp"
install -m 755 "$here/postgres-entrypoint.sh" "$work/postgres/usr/local/bin/docker-entrypoint.sh"

for image in node postgres; do
  tar -C "$work/$image" --owner=0 --group=0 -cf "$work/$image.tar" .
  rm -rf "${work:?}/$image"
done
# Those of other recipes are of no use any more.
find "$kept" -mindepth 1 -maxdepth 1 -type d ! -name 'new-*' -exec rm -rf {} +
mv -T "$work" "$to"
echo "$to"
