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

grant select, insert, update, delete on casesheet.follower_processes, casesheet.followers to rounds_server;
grant select, insert, delete on casesheet.feed_marks to rounds_server;
