# Sourced by .ci/run and .ci/nightly, from the project's root: installs what is missing, and says how tests run there.
missing=()
[ -x /usr/lib/postgresql/15/bin/initdb ] || missing+=(postgresql-15)
command -v chromium-headless-shell >/dev/null || missing+=(chromium-headless-shell)
command -v curl >/dev/null || missing+=(curl)
command -v openssl >/dev/null || missing+=(openssl)
command -v wrk >/dev/null || missing+=(wrk)
command -v prometheus >/dev/null || missing+=(prometheus)
for exporter in prometheus-postgres-exporter prometheus-node-exporter; do
  command -v "$exporter" >/dev/null || missing+=("$exporter")
done
command -v haproxy >/dev/null || [ -x /usr/sbin/haproxy ] || missing+=(haproxy)
command -v ps >/dev/null || missing+=(procps)
command -v systemd-analyze >/dev/null || missing+=(systemd)
[ -x /usr/bin/python3 ] || missing+=(python3)
/usr/bin/python3 -c 'import ensurepip, setuptools, wheel' 2>/dev/null || missing+=(python3-venv python3-setuptools python3-wheel)
command -v mypy >/dev/null || missing+=(mypy python3-typeshed)
command -v etcd >/dev/null || missing+=(etcd-server)
command -v ip >/dev/null || [ -x /usr/sbin/ip ] || missing+=(iproute2)
# Its program is never run: scripts/get-patroni.sh says why, and brings another one.
[ -x /usr/bin/patroni ] || missing+=(patroni python3-etcd python3-psycopg2)
# What only whole labs need: containers, backups and the load of the bench.
if [ -n "${WITH_LABS:-}" ]; then
  command -v pgbackrest >/dev/null || missing+=(pgbackrest)
  command -v runc >/dev/null || [ -x /usr/sbin/runc ] || missing+=(runc)
  command -v iptables >/dev/null || [ -x /usr/sbin/iptables ] || missing+=(iptables)
  command -v mmdebstrap >/dev/null || missing+=(mmdebstrap)
  command -v podman >/dev/null || missing+=(podman)
  command -v catatonit >/dev/null || missing+=(catatonit)
  [ -x /usr/lib/cni/bridge ] || missing+=(containernetworking-plugins)
fi
if [ ${#missing[@]} -gt 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

. scripts/use-node.sh
npm ci --no-audit --no-fund --loglevel=error
scripts/get-kubectl.sh
# Debian's, also where another one comes first.
export PYTHON3=/usr/bin/python3
export KUBECTL="${TOOLS_DIR:-$PWD/.tools}/kubectl/usr/bin/kubectl"

# A missing tool fails the tests that need it (test/support/needs.ts), and a test that is skipped for another reason fails the run.
output=$(mktemp)
trap 'rm -f "$output"' EXIT
without_skips() {
  CI_FORBIDS_SKIPS=1 "$@" | tee "$output"
  if ! grep -q '^ℹ skipped 0$' "$output" || grep -q '^ℹ skipped [1-9]' "$output"; then
    echo "CI skips no test." >&2
    return 1
  fi
}
