#!/bin/bash
# The part of the official PostgreSQL image's entry point that compose.yaml relies on: POSTGRES_USER, POSTGRES_DB and
# POSTGRES_PASSWORD_FILE, the files of /docker-entrypoint-initdb.d at the first start, and the user that the server runs as.
set -euo pipefail
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" /var/run/postgresql
  chown -R postgres:postgres /var/lib/postgresql /var/run/postgresql
  exec setpriv --reuid=postgres --regid=postgres --clear-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --pgdata="$PGDATA" --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth=trust >/dev/null
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl --pgdata="$PGDATA" -w -l /tmp/first-start.log -o "-c listen_addresses=''" start >/dev/null
  createdb --username="$POSTGRES_USER" "$POSTGRES_DB"
  for file in /docker-entrypoint-initdb.d/*.sql; do
    psql -v ON_ERROR_STOP=1 --no-psqlrc --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --file="$file"
  done
  pg_ctl --pgdata="$PGDATA" -w stop >/dev/null
fi
exec "$@" -c listen_addresses='*'
