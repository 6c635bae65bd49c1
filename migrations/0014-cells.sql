-- Patients can be divided between database clusters, called cells. A patient's slot, from 0 to 4,095, says to which one: a cell
-- serves some of the slots, and by default all of them.

-- Three hexadecimal digits of a hash that PostgreSQL, Node and HAProxy compute alike. The row filter of a publication accepts
-- no function of ours, so it compares the digits.
create function casesheet.slot_of(patient_uid text) returns integer
language sql immutable strict parallel safe
return ('x' || substr(md5(patient_uid), 1, 3))::bit(12)::integer;
revoke execute on function casesheet.slot_of from public;
grant execute on function casesheet.slot_of to rounds_server;

-- Which slots this cell serves, and a version of that, which every statement of a server compares. It is no number: after a
-- restore the same number could mean other slots.
create table casesheet.cell (
  is_only boolean primary key default true check (is_only),
  version uuid not null default gen_random_uuid(),
  open_slots int4multirange not null default '{[0,4096)}',
  -- For the seconds in which another cell takes them over: neither cell serves them.
  closing_slots int4multirange not null default '{}',
  -- What another cell sends, and goes on to serve until all of it is here.
  incoming_slots int4multirange not null default '{}',
  check (open_slots + closing_slots + incoming_slots <@ '{[0,4096)}'::int4multirange),
  check (not open_slots && closing_slots),
  check (not open_slots && incoming_slots),
  check (not closing_slots && incoming_slots)
);
insert into casesheet.cell default values;
grant select on casesheet.cell to rounds_server;

create function casesheet.renew_cell_version() returns trigger
language plpgsql as $$
begin
  new.version := gen_random_uuid();
  return new;
end
$$;
revoke execute on function casesheet.renew_cell_version from public;
create trigger renew_cell_version
before update on casesheet.cell
for each row execute function casesheet.renew_cell_version();

-- Called by a statement whose server knows another version. 55E01: read the slots again, and decide again.
create function casesheet.refuse_cell_version() returns boolean
language plpgsql stable as $$
begin
  raise exception sqlstate '55E01' using message = 'the slots of this cell have changed';
end
$$;
revoke execute on function casesheet.refuse_cell_version from public;
grant execute on function casesheet.refuse_cell_version to rounds_server;

-- Moves of slots from this cell (out) and to it (in). A move is carried on from what is recorded here and at the other cell.
-- The serving role sees nothing of it.
create table casesheet.cell_moves (
  move_id uuid primary key,
  direction text not null check (direction in ('out', 'in')),
  slots int4range not null,
  -- Host and database of the other cell.
  peer text not null,
  -- out: copying, closed (neither cell serves the slots), moved, cleaned, aborted. in: copying, opened, aborted.
  state text not null check (state in ('copying', 'closed', 'moved', 'cleaned', 'opened', 'aborted')),
  -- out: the names of the replication slots that PostgreSQL of the other cell makes here while it copies, as a pattern of LIKE. It
  -- may be lost before it has dropped them.
  copy_slots text,
  started_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
-- One at a time.
create unique index cell_moves_in_progress on casesheet.cell_moves ((true)) where state in ('copying', 'closed');

-- Which refusals of erased patients a move has brought to this cell: an abort takes them away again.
create table casesheet.cell_move_refusals (
  move_id uuid not null references casesheet.cell_moves,
  key_id bytea not null,
  patient_digest bytea not null,
  primary key (key_id, patient_digest),
  foreign key (key_id, patient_digest) references casesheet.refused_patients on delete cascade
);
