#!/usr/bin/env bash
# Brings Patroni 4 into .tools/patroni-4, for the fault tests. Debian 12 has 3.0.2, which must never be used: a primary that
# was frozen and thawed takes its lock back there, and acknowledged rows are lost. So its package is installed for the Python
# modules that it needs only, and the program is that of Debian 13, found with package lists of its own: nothing else on the
# machine changes.
set -euo pipefail
cd "$(dirname "$0")/.."
to="${TOOLS_DIR:-$PWD/.tools}/patroni-4"
[ ! -x "$to/usr/bin/patroni" ] || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$(dirname "$to")"
# The first source of this machine, but for the release.
sed -n '1,/^$/p' /etc/apt/sources.list.d/debian.sources | sed 's/^Suites: .*/Suites: trixie/' >"$work/next.sources"
cat >"$work/apt.conf" <<CONF
Dir::Etc::sourcelist "$work/next.sources";
Dir::Etc::sourceparts "/dev/null";
Dir::State::lists "$work/lists";
Dir::Cache "$work/cache";
APT::Sandbox::User "root";
CONF
cd "$work"
apt-get -qq -c apt.conf update
apt-get -qq -c apt.conf download patroni
dpkg-deb -x patroni_*.deb patroni-4
# Moved into place whole, so that no process finds half of it.
mv -T patroni-4 "$to"
