#!/usr/bin/env bash
# Brings Docker's engine, command line, BuildKit and Compose into .tools/docker, for `npm run lab image` on a machine that
# has no Docker. They are those of Debian's unstable suite, which need no newer libc than Debian 12 has; runc and iptables
# are the machine's own.
set -euo pipefail
exec "$(dirname "$0")/unpack-from-debian.sh" sid docker docker.io docker-cli containerd docker-buildx docker-compose
