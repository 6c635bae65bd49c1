#!/bin/sh
# Prints when the last backup of a stanza ended, for the textfile collector of node exporter. It fails where there is none.
#   pgbackrest --stanza=rounds --output=json info | sh backup-age.sh rounds
set -eu
last=$(grep -o '"timestamp":{"start":[0-9]*,"stop":[0-9]*' | grep -o '[0-9]*$' | sort -n | tail -n 1)
cat <<END
# HELP pgbackrest_last_backup_timestamp_seconds When the last backup ended.
# TYPE pgbackrest_last_backup_timestamp_seconds gauge
pgbackrest_last_backup_timestamp_seconds{stanza="$1"} ${last:?pgBackRest knows no backup of $1}
END
