#!/usr/bin/env bash
# Brings Patroni 4 into .tools/patroni-4, for the fault tests. Debian 12 has 3.0.2, which must never be used: a primary that
# was frozen and thawed takes its lock back there, and acknowledged rows are lost. So its package is installed for the Python
# modules that it needs only, and the program is that of Debian 13.
set -euo pipefail
exec "$(dirname "$0")/unpack-from-debian.sh" trixie patroni-4 patroni
