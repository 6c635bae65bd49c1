-- Readings can be withdrawn (entered in error) and restored, and every change stands in one sequence, readings/changes.

-- The transaction that changed a reading last. Rows from before get the id of this migration: a default that is not volatile is
-- stored once for all of them, and the table is not rewritten.
alter table casesheet.readings
  add column changed_xid xid8 not null default pg_current_xact_id(),
  add column withdrawn_at timestamptz,
  add column withdrawn_by text,
  add column withdrawn_reason text;

-- The serving role says who withdraws a reading and why. When that was, and its place in the sequence, the database says: a
-- server that is broken into can neither date a change back nor hide it from those who follow the sequence.
create function casesheet.stamp_change() returns trigger
language plpgsql as $$
begin
  new.changed_xid := pg_current_xact_id();
  new.withdrawn_at := case
    when new.withdrawn_by is null then null
    when old.withdrawn_by is null then now()
    else old.withdrawn_at
  end;
  return new;
end
$$;
revoke execute on function casesheet.stamp_change from public;
create trigger stamp_change
before update on casesheet.readings
for each row execute function casesheet.stamp_change();

grant update (withdrawn_by, withdrawn_reason) on casesheet.readings to rounds_server;

-- Erasures as those who follow the sequence see them. They keep the patient's id until announced_until, so that every
-- recipient can erase the patient too; afterwards only the fact remains.
create table casesheet.erasure_notices (
  erasure_id uuid primary key,
  changed_xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default now(),
  patient_uid text collate "C",
  announced_until timestamptz not null
);
-- Statistics of the planner would hold ids for longer.
alter table casesheet.erasure_notices alter column patient_uid set statistics 0;
create index erasure_notices_by_change on casesheet.erasure_notices (changed_xid, erasure_id);
create index erasure_notices_to_clear on casesheet.erasure_notices (announced_until) where patient_uid is not null;
grant select on casesheet.erasure_notices to rounds_server;

-- Servers call this now and then. They may clear what is due, and nothing else of the table.
create function casesheet.clear_erasure_notices() returns void
language sql security definer set search_path = pg_catalog as $$
  update casesheet.erasure_notices
  set patient_uid = null
  where announced_until <= now()
    and patient_uid is not null;
$$;
revoke execute on function casesheet.clear_erasure_notices from public;
grant execute on function casesheet.clear_erasure_notices to rounds_server;

-- Logical replication brings rows with ids of another cluster, and fires no ordinary trigger. These fire for it, and only for it.
create function casesheet.stamp_replicated() returns trigger
language plpgsql as $$
begin
  new.changed_xid := pg_current_xact_id();
  return new;
end
$$;
revoke execute on function casesheet.stamp_replicated from public;
create trigger stamp_replicated
before insert or update on casesheet.readings
for each row execute function casesheet.stamp_replicated();
alter table casesheet.readings enable replica trigger stamp_replicated;
create trigger stamp_replicated
before insert on casesheet.erasure_notices
for each row execute function casesheet.stamp_replicated();
alter table casesheet.erasure_notices enable replica trigger stamp_replicated;
-- An erasure that moved would stand behind readings that were added after it, and those who follow would remove them.
create function casesheet.keep_replicated_place() returns trigger
language plpgsql as $$
begin
  new.changed_xid := old.changed_xid;
  return new;
end
$$;
revoke execute on function casesheet.keep_replicated_place from public;
create trigger keep_replicated_place
before update on casesheet.erasure_notices
for each row execute function casesheet.keep_replicated_place();
alter table casesheet.erasure_notices enable replica trigger keep_replicated_place;

-- To which database, and to which history of it, the transaction ids above belong. Cursors name the generation, and are refused
-- under another one. Tables that are restored from a dump get other oids than these, also in the same cluster.
create table casesheet.feed (
  is_only boolean primary key default true check (is_only),
  generation uuid not null default gen_random_uuid(),
  system_identifier bigint not null,
  database_oid oid not null,
  table_oid oid not null
);
insert into casesheet.feed (system_identifier, database_oid, table_oid)
select system_identifier, pg_database.oid, 'casesheet.feed'::regclass
from pg_control_system()
cross join pg_database
where datname = current_database();
grant select on casesheet.feed to rounds_server;

-- How far the sequence was delivered on each timeline, by reader, as a position in the WAL. It is written in the transaction
-- that delivers a page. A cursor whose page is not covered here was delivered in a history that was lost, by a restore from a
-- backup or a failover without a synchronous standby.
create table casesheet.feed_deliveries (
  timeline integer not null,
  read_by text not null,
  lsn pg_lsn not null,
  primary key (timeline, read_by)
) with (fillfactor = 50);
grant select, insert, update on casesheet.feed_deliveries to rounds_server;
