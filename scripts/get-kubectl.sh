#!/usr/bin/env bash
# Brings a kubectl into .tools/kubectl that renders `resources` and `patches` of a kustomization: Debian 12 has 1.20, which
# knows only their deprecated names.
set -euo pipefail
exec "$(dirname "$0")/unpack-from-debian.sh" sid kubectl kubectl
