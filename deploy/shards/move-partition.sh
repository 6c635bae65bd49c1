#!/bin/bash
# Moves one partition of the patients from the database cluster OLD to NEW while both serve. docs/shards.md says what happens.
#
#   OLD=… NEW=… move-partition.sh prepare     before NEW serves anybody, and for each pair again after `rounds migrate`
#   OLD=… NEW=… FROM=first TO=second move-partition.sh 7
#
# OLD and NEW are connection strings of superusers (passwords: ~/.pgpass). Settings, and what they are if they are not set:
#   OLD_FROM_NEW  how the server NEW reaches OLD                                      OLD
#   MAP           the map of HAProxy                                                  /etc/haproxy/partitions.map
#   HAPROXY       a command that passes a line to HAProxy; empty where there is none  socat - /run/haproxy/admin.sock
#   FROM, TO      the backends of OLD and NEW in HAProxy
#   SETTLE        seconds that followers of changes have after the copy               10
#   COMPARE_ROWS  readings up to which both copies are compared before the switch     1000000
# It may be killed at any point. Started again, it looks at what is attached in both clusters and goes on from there.
set -euo pipefail
: "${OLD:?}" "${NEW:?}" "${OLD_FROM_NEW:=$OLD}" "${MAP:=/etc/haproxy/partitions.map}" "${SETTLE:=10}" "${COMPARE_ROWS:=1000000}"
HAPROXY=${HAPROXY-socat - /run/haproxy/admin.sock}
N=${1:?which partition} MOVE=rounds_move_$1
[ -z "$HAPROXY" ] || [ "$N" = prepare ] || : "${FROM:?}" "${TO:?}"
# Autovacuum gives way after deadlock_timeout.
export PGOPTIONS='-c lock_timeout=300ms -c deadlock_timeout=100ms -c statement_timeout=0 -c jit=off -c client_min_messages=error'
export PGTZ=UTC PGAPPNAME="rounds move" PGCONNECT_TIMEOUT=5
say() { printf '%(%T)T.%.3s partition %s: %s\n' -1 "${EPOCHREALTIME#*[.,]}" "$N" "$*"; }
fail() { say "$*" >&2; exit 1; }

# One session with each cluster, because a new one takes long where a partition waits for it. It ends at its first error, and what
# it did before stays. ask OLD or ask NEW: statements on the standard input.
declare -A TO_SESSION FROM_SESSION
trap '' PIPE
connect() {
  local pipe
  for which in OLD NEW; do
    pipe=$(mktemp -u) && mkfifo -m 600 "$pipe"
    exec {from}< <(exec psql -XAtq -v ON_ERROR_STOP=1 -v n="$N" -v modulus="${MODULUS:?}" -f - "${!which}" <"$pipe")
    exec {to}>"$pipe"
    rm "$pipe"
    TO_SESSION[$which]=$to FROM_SESSION[$which]=$from
    ask $which <"$(dirname "$0")/move-partition.sql"
  done
}
ask() {
  { cat && printf '\n;\n\\echo answered\n'; } >&"${TO_SESSION[$1]}" || return 1
  while IFS= read -r line <&"${FROM_SESSION[$1]}"; do
    [ "$line" != answered ] || return 0
    echo "$line"
  done
  return 1
}
# Runs the statements with which a function of move-partition.sql answers, in one transaction.
run() { ask "$1" <<<"select pg_temp.run(array(select $2)) \g /dev/null"; }
# Others may hold a lock, or a slot. What is tried again goes on from where it was.
retry() { for _ in {1..20}; do "$@" && return; sleep 0.2; connect; done; fail "this did not succeed: $*"; }

to_haproxy() { [ -z "$HAPROXY" ] || eval "$HAPROXY" <<<"$1"; }
in_map() { to_haproxy "set map $MAP $N ${1:-}" >/dev/null; }
attached() { ask "$1" <<<'select pg_temp.attached()'; }
subscription() { ask NEW <<<"select $1 from pg_subscription where subname = '$MOVE'"; }
# Slots do not survive a failover of OLD on PostgreSQL 15.
slot() { ask OLD <<<"select slot_name from pg_replication_slots where slot_name = '$MOVE'"; }
end_copying() {
  [ -z "$(subscription subname)" ] || {
    { [ -n "$(slot)" ] || ask NEW <<<"alter subscription $MOVE disable; alter subscription $MOVE set (slot_name = none);"; } &&
      ask NEW <<<"drop subscription $MOVE"
  } && ask OLD <<<"select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = '$MOVE'" >/dev/null
}
CONFIRM="select pg_logical_emit_message(true, 'rounds', '') as lsn \gset
select pg_temp.wait_for_subscriber(:'lsn') \g /dev/null"

# Patients who were erased and are refused are known by a digest, which belongs to no partition. No erasure succeeds in a partition
# that is being copied, because its access log has no key.
copy_refusals() {
  copy_rows casesheet.refused_patients true 'insert into casesheet.refused_patients select * from copied on conflict (key_id, patient_digest)
    do update set refused_until = greatest(refused_patients.refused_until, excluded.refused_until)'
}

# Targets for all who share belong to no partition either. Each keeps its id, by which days were judged; of two the one holds that was set last.
copy_for_all() {
  copy_rows casesheet.target_changes 'patient_uid is null' 'insert into casesheet.target_changes select * from copied on conflict do nothing'
  copy_rows casesheet.targets 'patient_uid is null' 'begin; set local session_replication_role = replica;
    delete from casesheet.targets as here using copied where here.patient_uid is null and here.set_at < copied.set_at
      and (here.reading_type, here.author_kind, here.author_id) = (copied.reading_type, copied.author_kind, copied.author_id);
    insert into casesheet.targets select * from copied on conflict do nothing; commit'
}

copy_rows() {
  { echo "create temporary table copied (like $1); copy copied from stdin;"
    ask OLD <<<"copy (select * from $1 where $2) to stdout"
    echo '\.'
    echo "$3; drop table copied"; } | ask NEW
}

# The comments say from which transaction on a change may not have been followed yet.
copy() {
  local old_from_new=${OLD_FROM_NEW//\'/\'\'}
  if [ -z "$(slot)" ] || [ -z "$(subscription subname)" ]; then
    say "the copy begins"
    retry end_copying
    run OLD 'pg_temp.publish()'
    run NEW 'pg_temp.receive()'
    ask NEW <<<"create subscription $MOVE connection '$old_from_new' publication $MOVE"
  fi
  ask NEW <<<"alter subscription $MOVE connection '$old_from_new'"
  until [ "$(subscription "(select count(*) from pg_subscription_rel where srsubid = pg_subscription.oid and srsubstate <> 'r')")" = 0 ]; do
    [ -n "$(slot)" ] || return 0
    sleep 0.2
  done
  ask OLD <<<"$CONFIRM" || { connect; return 0; }
  for which in OLD:publication NEW:subscription; do
    ask ${which%:*} <<<"select pg_snapshot_xmin(pg_current_snapshot()) as since \gset"$'\n'"comment on ${which#*:} $MOVE is :'since'"
  done
  copy_refusals
  copy_for_all
  say "copied"
  sleep "$SETTLE"
}

leave() {
  ask OLD <<SQL
select pg_temp.detach(1) \gexec
select pg_temp.run(array(select pg_temp.fence())) \g /dev/null
select pg_temp.detach(3) \gexec
$CONFIRM
SQL
}

# Rounds reads, and then logs the read on the same connection. So a read that found nothing before the partition was attached is not
# answered: its connection ends before its log is accepted, and Rounds reads again on another one.
arrive() { run "$1" 'pg_temp.attach()'; }

switch() {
  for which in OLD NEW; do ask $which <<<'select pg_temp.wait_for_long_statements() \g /dev/null'; done
  is_small=$(ask OLD <<<"select reltuples <= $COMPARE_ROWS from pg_class where oid = 'casesheet.readings_$N'::regclass")
  in_map moving
  say "not served"
  retry leave
  if [ "$is_small" = t ] && ! diff <(ask OLD <<<'select pg_temp.digest() \gexec') <(ask NEW <<<'select pg_temp.digest() \gexec') >&2; then
    retry end_copying
    give_back
    fail "the copies differ: the next start begins anew"
  fi
  retry arrive NEW
}

give_back() {
  say "the copy is lost: OLD serves again"
  ask OLD <<<'select pg_temp.detach(0) \gexec'
  retry arrive OLD
  run OLD 'pg_temp.uncheck()'
  in_map "${FROM:-}"
}

# Streams come back by themselves, and reach NEW.
finish() {
  in_map "${TO:-}"
  say "served by NEW"
  [ -z "$HAPROXY" ] || sed -i "s/^$N .*/$N $TO/" "$MAP"
  retry run NEW 'pg_temp.uncheck()'
  to_haproxy "show servers state ${FROM:-}-streams" | awk '$2 ~ /-streams$/ { print $2 "/" $4 }' |
    while read -r server; do to_haproxy "shutdown sessions server $server" >/dev/null; done
  retry end_copying
  ask OLD <<<"drop publication if exists $MOVE; call pg_temp.forget(); select format('drop table if exists %s', part) from parts \gexec"
  say "moved"
}

for which in OLD NEW; do
  : "${MODULUS:=$(psql -XAt "${!which}" -c "select substring(pg_get_expr(relpartbound, oid), 'modulus (\d+)')
    from pg_class where relispartition and oid::regclass::text ~ '^casesheet\.readings_\d+$' limit 1")}"
done
connect
for which in OLD NEW; do
  ask $which <<<"select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where application_name = 'rounds move' and datname = current_database() and pid <> pg_backend_pid()" >/dev/null
done
if [ "$N" = prepare ]; then
  run NEW 'pg_temp.give_up()'
  for which in NEW OLD; do retry run $which 'pg_temp.fence()'; done
  exit
fi
[ -n "$(ask OLD <<<"select to_regclass('casesheet.readings_$N')")" ] || [ "$(attached NEW)" = 3 ] || fail "neither cluster has it"
for (( ; ; )); do
  case "$(attached OLD)/$(attached NEW)" in
    3/0) copy; [ -z "$(slot)" ] || switch ;;
    [012]/0) if [ -n "$(slot)" ] && [ -n "$(subscription "obj_description(oid, 'pg_subscription')")" ]; then switch; else give_back; fi ;;
    0/3) finish; break ;;
    *) fail "both clusters have it attached" ;;
  esac
done
