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
#
# It may be killed at any point. Started again, it looks at what is attached in both clusters and goes on from there.
set -euo pipefail
: "${OLD:?}" "${NEW:?}" "${OLD_FROM_NEW:=$OLD}" "${MAP:=/etc/haproxy/partitions.map}" "${SETTLE:=10}" "${COMPARE_ROWS:=1000000}"
HAPROXY=${HAPROXY-socat - /run/haproxy/admin.sock}
N=${1:?which partition} MOVE=rounds_move_$1
# Autovacuum gives way after deadlock_timeout.
export PGOPTIONS='-c lock_timeout=500ms -c deadlock_timeout=100ms -c statement_timeout=0 -c client_min_messages=error'
export PGTZ=UTC PGAPPNAME="rounds move" PGCONNECT_TIMEOUT=5
say() { printf '%(%T)T partition %s: %s\n' -1 "$N" "$*"; }
fail() { say "$*" >&2; exit 1; }

# One session with each cluster, because a new one takes long where a partition waits for it. ask OLD or ask NEW: statements on the
# standard input. A session ends at its first error, and its earlier statements stay.
declare -A TO_SESSION FROM_SESSION
trap '' PIPE
connect() {
  local pipe to from
  for which in OLD NEW; do
    pipe=$(mktemp -u) && mkfifo -m 600 "$pipe"
    exec {from}< <(exec psql -XAtq -v ON_ERROR_STOP=1 -f - "${!which}" <"$pipe")
    exec {to}>"$pipe"
    rm "$pipe"
    TO_SESSION[$which]=$to FROM_SESSION[$which]=$from
  done
}
ask() {
  local line
  { cat && printf '\n;\n\\echo answered\n'; } >&"${TO_SESSION[$1]}" || return 1
  while IFS= read -r line <&"${FROM_SESSION[$1]}"; do
    [ "$line" != answered ] || return 0
    echo "$line"
  done
  return 1
}
# Others may hold a lock, or a slot. What is tried again goes on from where it was: each step looks at what is there.
retry() { for _ in {1..20}; do "$@" && return; sleep 0.2; connect; done; fail "this did not succeed: $*"; }

# The three tables of the partition, in the order in which they are detached: without a row in the log no read is answered.
PARTS="(select nth, parent, format('casesheet.%I', parent)::regclass as whole, format('casesheet.%I', parent || '_$N') as part
  from unnest(array['access_log', 'corrections', 'readings']) with ordinality as named (parent, nth)) as parts"
ATTACHED="pg_inherits where inhrelid in (select to_regclass(part) from $PARTS)"
# Tables of patients that are not partitioned. The announcements of erasures stay where the erasures were.
TABLES="(select attrelid::regclass as name, bool_or(attname = 'changed_xid') as has_change from pg_attribute
  join pg_class on pg_class.oid = attrelid
  where relkind = 'r' and not relispartition and attname in ('patient_uid', 'changed_xid') and not attisdropped
    and attrelid::regclass::text !~ '^casesheet\.(erasure_notices|(access_log|corrections|readings)_\d+)$'
  group by attrelid having bool_or(attname = 'patient_uid') order by 1) as tables"
connect
modulus() {
  ask "$1" <<<"select substring(pg_get_expr(relpartbound, oid), 'modulus (\d+)') from pg_class
    where relispartition and oid::regclass::text ~ '^casesheet\.readings_\d+$' limit 1"
}
MODULUS=$(modulus OLD)
: "${MODULUS:=$(modulus NEW)}"
IS_MOVED="satisfies_hash_partition('casesheet.readings'::regclass, ${MODULUS:?nothing is attached}, $N, patient_uid)"

# Patients of partitions that are not attached (and of $1, before it is detached) are hidden from the service in the tables that are
# not partitioned, and a row that it adds for them is refused like one without a partition. Owners and replication pass.
fence() {
  cat <<SQL
begin;
create or replace function casesheet.refuse_foreign_patient() returns boolean language plpgsql as
  'begin raise exception sqlstate ''23514'' using message = ''no partition of the patient is attached''; end';
select format('create policy as_granted on %s using (true) with check (true); alter table %1\$s enable row level security', name)
from $TABLES where not exists (select from pg_policy where polrelid = name and polname = 'as_granted') \gexec
select format('create trigger stamp_replicated before insert or update on %s for each row execute function casesheet.stamp_replicated();
  alter table %1\$s enable replica trigger stamp_replicated', name)
from $TABLES where has_change and not exists (select from pg_trigger where tgrelid = name and tgname = 'stamp_replicated') \gexec
select format('create policy not_served_%s on %s as restrictive to rounds_server using (not %3\$s)
  with check (case when %3\$s then casesheet.refuse_foreign_patient() else true end)', n, name,
  format('satisfies_hash_partition(''casesheet.readings''::regclass, $MODULUS, %s, patient_uid)', n))
from $TABLES cross join generate_series(0, $MODULUS - 1) as n
where (n = $1 or not exists (select from pg_inherits where inhrelid = to_regclass('casesheet.readings_' || n)))
  and not exists (select from pg_policy where polrelid = name and polname = 'not_served_' || n) \gexec
commit;
SQL
}
fences() { fence -1 | ask "$1"; }

# A new cluster gives up all its partitions, which must be empty.
prepare() {
  ask NEW <<SQL
begin;
select format('alter table %s add constraint must_be_empty check (patient_uid is null); drop table %1\$s', inhrelid::regclass)
from $PARTS join pg_inherits on inhparent = whole
where (select count(*) from pg_inherits where inhparent = 'casesheet.readings'::regclass) = $MODULUS \gexec
commit;
SQL
  retry fences NEW
  retry fences OLD
}

to_haproxy() { [ -z "$HAPROXY" ] || eval "$HAPROXY" <<<"$1"; }
in_map() { to_haproxy "set map $MAP $N $1" >/dev/null; }
in_file() { [ -z "$HAPROXY" ] || sed -i "s/^$N .*/$N $1/" "$MAP"; }

attached() { ask "$1" <<<"select count(*) from $ATTACHED and not inhdetachpending"; }
subscription() { ask NEW <<<"select $1 from pg_subscription where subname = '$MOVE'"; }
# Slots do not survive a failover of OLD on PostgreSQL 15.
slot() { ask OLD <<<"select slot_name from pg_replication_slots where slot_name = '$MOVE'"; }

end_copying() {
  [ -z "$(subscription subname)" ] || {
    { [ -n "$(slot)" ] || ask NEW <<<"alter subscription $MOVE disable; alter subscription $MOVE set (slot_name = none);"; } &&
      ask NEW <<<"drop subscription $MOVE"
  } && ask OLD <<<"select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = '$MOVE'" >/dev/null
}

# On NEW the tables of the partition stand detached, with its condition as a check, and with those triggers of their parents that
# fire for replicated rows: a detached table has none.
begin_copy() {
  say "the copy begins"
  retry end_copying
  ask OLD <<SQL
drop publication if exists $MOVE;
select format('create publication $MOVE for table %s, %s', (select string_agg(part, ', ') from $PARTS),
  string_agg(format('%s where (%s)', name, \$\$$IS_MOVED\$\$), ', ')) from $TABLES \gexec
SQL
  ask NEW <<SQL
begin;
select format('delete from %s where %s', name, \$\$$IS_MOVED\$\$) from $TABLES \gexec
select format('drop table if exists %1\$s; create table %1\$s (like %2\$s including all); alter table %1\$s owner to %3\$s,
  add check (satisfies_hash_partition(%4\$L::oid, $MODULUS, $N, patient_uid))', part, whole, relowner::regrole, whole::oid)
from $PARTS join pg_class on pg_class.oid = whole \gexec
select format('%s; alter table %s enable replica trigger moving_%s',
  regexp_replace(pg_get_triggerdef(pg_trigger.oid), 'TRIGGER (\S+) (.*) ON (\S+) FOR', 'TRIGGER moving_\1 \2 ON ' || part || ' FOR'), part, tgname)
from $PARTS join pg_trigger on tgrelid = whole where tgenabled in ('R', 'A') \gexec
commit;
SQL
  ask NEW <<<"create subscription $MOVE connection '${OLD_FROM_NEW//\'/\'\'}' publication $MOVE"
}

# Whether NEW has everything that was committed in OLD until now.
confirm() {
  cat <<SQL
select set_config('rounds.moved', pg_logical_emit_message(true, 'rounds', '')::text, false) \g /dev/null
do \$\$ begin
  for attempt in 1..2000 loop
    if exists (select from pg_replication_slots where slot_name = '$MOVE' and confirmed_flush_lsn >= current_setting('rounds.moved')::pg_lsn)
    then return; end if;
    perform pg_sleep(0.01);
  end loop;
  raise exception 'NEW has not received everything within 20 s';
end \$\$;
SQL
}

# The comments say from which transaction on a change may not have been followed yet.
copy() {
  { [ -n "$(slot)" ] && [ -n "$(subscription subname)" ]; } || begin_copy
  ask NEW <<<"alter subscription $MOVE connection '${OLD_FROM_NEW//\'/\'\'}'"
  until [ "$(subscription "(select count(*) from pg_subscription_rel where srsubid = pg_subscription.oid and srsubstate <> 'r')")" = 0 ]; do
    [ -n "$(slot)" ] || return 0
    sleep 0.2
  done
  confirm | ask OLD || { connect; return 0; }
  for which in OLD:publication NEW:subscription; do
    ask ${which%:*} <<<"select pg_snapshot_xmin(pg_current_snapshot()) as since \gset"$'\n'"comment on ${which#*:} $MOVE is :'since'"
  done
  copy_refusals
  say "copied"
  sleep "$SETTLE"
}

# A statement that has used the tables for long would hold up everybody who waits behind the move.
quiet() {
  ask "$1" <<SQL
do \$\$ begin
  while exists (select from pg_locks join pg_stat_activity using (pid)
    where backend_type = 'client backend' and xact_start < clock_timestamp() - interval '1 s' and relation in (select whole from $PARTS)) loop
    perform pg_sleep(0.05), pg_stat_clear_snapshot();
  end loop;
end \$\$
SQL
}

detach() {
  cat <<SQL
select format('alter table %s detach partition %s %s', whole, part, case when inhdetachpending then 'finalize' else 'concurrently' end)
from $PARTS join pg_inherits on inhrelid = to_regclass(part) where $1 order by nth \gexec
SQL
}
leave() { { detach 'nth = 1'; fence "$N"; detach true; confirm; } | ask OLD; }

# What both copies must have in common. Their places in the sequence of changes are of each cluster alone.
digest() {
  ask "$1" <<SQL
select format('select %1\$L, count(*), sum(hashtextextended(row(%2\$s)::text, 0)) from %1\$s where %3\$s', name, columns, condition)
from (select name, \$\$$IS_MOVED\$\$ as condition from $TABLES union all select part::regclass, 'true' from $PARTS) as copied
cross join lateral (select string_agg(quote_ident(attname), ', ' order by attname) as columns from pg_attribute
  where attrelid = name and attnum > 0 and not attisdropped and attname <> 'changed_xid') as of_table
order by name::text \gexec
SQL
}

# Everything but the access log is attached, in one commit. What may not have been followed gets a new place in the sequence of
# changes. Rounds reads, and then logs the read on the same connection. So a read that found nothing before this commit is not
# answered: its connection ends before its log is accepted, and Rounds reads again on another one.
attach() {
  cat <<SQL
begin;
select coalesce((select obj_description(oid, 'pg_subscription') from pg_subscription where subname = '$MOVE'),
  (select obj_description(oid, 'pg_publication') from pg_publication where pubname = '$MOVE'), '0') as since \gset
select format('update %s set changed_xid = pg_current_xact_id() where changed_xid >= %L and %s', name, :'since', condition)
from (select name, \$\$$IS_MOVED\$\$ as condition from $TABLES where has_change
  union all select 'casesheet.readings_$N', 'true') as changed \gexec
select format('drop trigger %I on %s', tgname, tgrelid::regclass) from $PARTS
join pg_trigger on tgrelid = part::regclass and tgname ~ '^moving_' \gexec
lock table only casesheet.corrections, only casesheet.readings in access exclusive mode;
select 'alter table %s attach partition %s for values with (modulus $MODULUS, remainder $N)' as attaching,
  'alter table %s drop constraint %I' as unchecking \gset
select format(:'attaching', whole, part) from $PARTS where nth > 1 and part::regclass not in (select inhrelid from pg_inherits) \gexec
select format('drop policy not_served_$N on %s', polrelid::regclass) from pg_policy where polname = 'not_served_$N' \gexec
commit;
do \$\$
declare others integer[];
begin
  others := array(select pid from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid());
  perform pg_terminate_backend(pid) from unnest(others) as pid;
  perform pg_terminate_backend(pid, 5000) from unnest(others) as pid;
  perform pg_stat_clear_snapshot();
  if exists (select from pg_stat_activity where pid = any (others) and backend_start < now()) then raise exception 'a session does not end'; end if;
end \$\$;
select format(:'attaching', whole, part) from $PARTS where nth = 1 and part::regclass not in (select inhrelid from pg_inherits) \gexec
SQL
}
attach_in() { attach | ask "$1"; }
# A check that repeats the condition of the partition would name it by a number, which a dump does not keep.
uncheck() {
  ask "$1" <<SQL
select format('alter table %s drop constraint %I', part, conname) from $PARTS join pg_constraint on conrelid = part::regclass
where contype = 'c' and pg_get_constraintdef(pg_constraint.oid) ~ 'satisfies_hash_partition' \gexec
SQL
}

# Patients who were erased and are refused are known by a digest, which belongs to no partition. No erasure succeeds in a partition
# that is being copied, because its log has no key.
copy_refusals() {
  { echo 'create temporary table refused (like casesheet.refused_patients); copy refused from stdin;'
    ask OLD <<<'copy casesheet.refused_patients to stdout'
    echo '\.'
    echo 'insert into casesheet.refused_patients select * from refused on conflict (key_id, patient_digest)
      do update set refused_until = greatest(refused_patients.refused_until, excluded.refused_until)'; } | ask NEW
}

switch() {
  quiet OLD
  quiet NEW
  local is_small
  is_small=$(ask OLD <<<"select reltuples <= $COMPARE_ROWS from pg_class where oid = 'casesheet.readings_$N'::regclass")
  in_map moving
  say "not served"
  retry leave
  if [ "$is_small" = t ] && ! diff <(digest OLD) <(digest NEW) >&2; then
    retry end_copying
    give_back
    fail "the copies differ: the next start begins anew"
  fi
  retry attach_in NEW
  in_map "${TO:-}"
  say "served by NEW"
}

give_back() {
  say "the copy is lost: OLD serves again"
  detach inhdetachpending | ask OLD
  retry attach_in OLD
  retry uncheck OLD
  in_map "${FROM:-}"
}

# Rows are deleted in short transactions, because a long one holds back the sequence of changes. Streams come back by themselves.
finish() {
  in_map "${TO:-}"
  in_file "${TO:-}"
  retry uncheck NEW
  to_haproxy "show servers state ${FROM:-}-streams" | awk '$2 ~ /-streams$/ { print $2 "/" $4 }' |
    while read -r server; do to_haproxy "shutdown sessions server $server" >/dev/null; done
  retry end_copying
  ask OLD <<SQL
drop publication if exists $MOVE;
do \$\$
declare t regclass; n integer;
begin
  for t in select name from $TABLES loop
    loop
      execute format('delete from %s where ctid = any (array(select ctid from %1\$s where %s limit 5000))', t, \$c\$$IS_MOVED\$c\$);
      get diagnostics n = row_count;
      commit;
      exit when n = 0;
    end loop;
  end loop;
end \$\$;
select format('drop table if exists %s', part) from $PARTS \gexec
SQL
  say "moved"
}

[ -z "$HAPROXY" ] || [ "$N" = prepare ] || : "${FROM:?}" "${TO:?}"
for which in OLD NEW; do
  ask $which <<<"select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'rounds move' and datname = current_database() and pid <> pg_backend_pid()" >/dev/null
done
if [ "$N" = prepare ]; then prepare; exit; fi
[ -n "$(ask OLD <<<"select to_regclass('casesheet.readings_$N')")" ] || [ "$(attached NEW)" = 3 ] || fail "neither cluster has it"
for (( ; ; )); do
  case "$(attached OLD)/$(attached NEW)" in
    3/0) copy; [ -z "$(slot)" ] || switch ;;
    [012]/0) if [ -n "$(slot)" ] && [ -n "$(subscription "obj_description(oid, 'pg_subscription')")" ]; then switch; else give_back; fi ;;
    0/2) retry attach_in NEW ;;
    0/3) finish; break ;;
    *) fail "both clusters have it attached" ;;
  esac
done
