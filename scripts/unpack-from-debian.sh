#!/usr/bin/env bash
# scripts/unpack-from-debian.sh SUITE NAME PACKAGE…
# Unpacks packages of another Debian suite into .tools/NAME, without their dependencies and without installing anything: the
# package lists are its own, so nothing else on the machine changes. Does nothing where .tools/NAME is there already.
set -euo pipefail
cd "$(dirname "$0")/.."
suite=$1
to="${TOOLS_DIR:-$PWD/.tools}/$2"
shift 2
[ ! -d "$to" ] || exit 0

mkdir -p "$(dirname "$to")"
# Beside its destination, so that it can be moved there whole and no process finds half of it.
work=$(mktemp -d "$(dirname "$to")/unpack-XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/root"
# The first source of this machine, but for the suite.
sed -n '1,/^$/p' /etc/apt/sources.list.d/debian.sources | sed "s/^Suites: .*/Suites: $suite/" >"$work/next.sources"
# Without a list of installed packages: one of another source could else be preferred.
cat >"$work/apt.conf" <<CONF
Dir::Etc::sourcelist "$work/next.sources";
Dir::Etc::sourceparts "/dev/null";
Dir::State::lists "$work/lists";
Dir::State::status "/dev/null";
Dir::Cache "$work/cache";
APT::Sandbox::User "root";
CONF
cd "$work"
apt-get -qq -c apt.conf update
apt-get -qq -c apt.conf download "$@"
for package in *.deb; do dpkg-deb -x "$package" root; done
mv -T root "$to"
