#!/bin/sh
# certbot's deploy hook: gives HAProxy a new certificate, chain and key in one file, and lets it read that without cutting a
# connection. Certbot sets RENEWED_LINEAGE. The file is replaced at once, so that HAProxy never sees half of it.
set -eu
umask 077
certificate=${ROUNDS_CERTIFICATES:-/etc/haproxy/certs/rounds.pem}
new=$(mktemp "$(dirname "$certificate")/.new.XXXXXX")
trap 'rm -f "$new"' EXIT
cat "$RENEWED_LINEAGE/fullchain.pem" "$RENEWED_LINEAGE/privkey.pem" > "$new"
mv "$new" "$certificate"
systemctl reload haproxy
