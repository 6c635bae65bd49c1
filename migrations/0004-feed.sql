-- The sequence of changes: readings by the transaction that changed them last, and erasures among them. Those who follow it
-- read each change once.

-- The serving role says who withdraws a reading and why. When that was, and its place in the sequence, the database says: a
-- server that is broken into can neither date a change back nor hide it from those who follow the sequence. A new place alone is
-- no change of the reading.
create function casesheet.stamp_change() returns trigger
language plpgsql as $$
begin
  new.changed_xid := pg_current_xact_id();
  new.withdrawn_at := case
    when new.withdrawn_by is null then null
    when old.withdrawn_by is null then now()
    else old.withdrawn_at
  end;
  if new.withdrawn_by is null then
    new.withdrawn_as := null;
  end if;
  new.changed_at := case
    when (new.withdrawn_by is null) is distinct from (old.withdrawn_by is null) then now()
    else old.changed_at
  end;
  return new;
end
$$;
revoke execute on function casesheet.stamp_change from public;
create trigger stamp_change
before update on casesheet.readings
for each row execute function casesheet.stamp_change();

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

-- Logical replication brings rows with ids of another cluster, and fires no ordinary trigger. These fire for it, and only for it.
-- Versions and times of the rows stay as they are.
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

-- How far the sequence was delivered on each timeline, by reader, as a position in the WAL. It is written in the transaction
-- that delivers a page. A cursor whose page is not covered here was delivered in a history that was lost, by a restore from a
-- backup or a failover without a synchronous standby.
create table casesheet.feed_deliveries (
  timeline integer not null,
  read_by text not null,
  lsn pg_lsn not null,
  primary key (timeline, read_by)
) with (fillfactor = 50);

-- Followers: consumers inside Rounds, each with a durable position in the sequence of changes. Any serving process may work for a
-- follower. A process that renews its lease holds its followers; one that stopped loses them to the others.
create table casesheet.follower_processes (
  process_id uuid primary key,
  -- How the names of its followers begin: it shares these with the other processes that work for them.
  prefix text collate "C" not null,
  lease_until timestamptz not null
) with (fillfactor = 50);

create table casesheet.followers (
  name text collate "C" primary key check (name <> ''),
  -- The last change that the follower is done with. The ids mean nothing in another generation of casesheet.feed.
  generation uuid not null,
  xid xid8 not null,
  id uuid not null,
  -- Of a follower whose work may be repeated, and which waits for nobody: it is done with all changes that are visible in `done`, and goes on
  -- behind (xid, id) with those that are visible in `next`, until there are no more of these.
  done pg_snapshot,
  next pg_snapshot,
  -- Every write of a position names the holder, so a process that lost the follower writes nothing.
  held_by uuid,
  -- When the follower was last known to have nothing left to do.
  caught_up_at timestamptz not null default now()
) with (fillfactor = 50);
create index followers_by_holder on casesheet.followers (held_by);

-- Which transactions had ended at which time. The clock is read after the snapshot. So a change that was committed after `at` has
-- the id `xid` or a higher one, and a follower that goes back to `xid` gets every change since then.
create table casesheet.feed_marks (
  at timestamptz primary key default clock_timestamp(),
  generation uuid not null,
  xid xid8 not null
);

grant select on casesheet.erasure_notices, casesheet.feed to rounds_server;
grant select, insert, update on casesheet.feed_deliveries to rounds_server;
grant select, insert, update, delete on casesheet.follower_processes, casesheet.followers to rounds_server;
grant select, insert, delete on casesheet.feed_marks to rounds_server;
