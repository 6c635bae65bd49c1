#!/bin/sh
# collect-root.sh FROM TO: copies what Node needs to run out of the file system of an official Node image. Nothing of FROM is
# run, so it may be of another platform.
set -eu
cd "$1"
to=$2
mkdir -p "$to/var/lib/dpkg/status.d" "$to/etc"

# The program, its dynamic linker, and the libraries that it names; libatomic in those builds that have it.
cp -L --parents usr/local/bin/node lib*/ld-linux-*.so.* "$to"
for library in libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 libgcc_s.so.1 libstdc++.so.6 libatomic.so.1; do
  file=$(find lib/*-linux-gnu/ usr/lib/*-linux-gnu/ -maxdepth 1 -name "$library" | head -n 1)
  [ -n "$file" ] || [ "$library" = libatomic.so.1 ] || { echo "There is no $library." >&2; exit 1; }
  [ -z "$file" ] || cp -L --parents "$file" "$to"
done

# Names of users and hosts, and what Debian this is.
grep -E '^(root|node):' etc/passwd >"$to/etc/passwd"
grep -E '^(root|node):' etc/group >"$to/etc/group"
echo 'hosts: files dns' >"$to/etc/nsswitch.conf"
cp -L etc/os-release "$to/etc/os-release"

# The packages that these files are of, where scanners look for them.
for package in libc6 libgcc-s1 libstdc++6 libatomic1; do
  sed -n "/^Package: $package\$/,/^\$/p" var/lib/dpkg/status >"$to/var/lib/dpkg/status.d/$package"
  [ -s "$to/var/lib/dpkg/status.d/$package" ] || rm "$to/var/lib/dpkg/status.d/$package"
done
