-- Bulk exports of readings as FHIR Observations. An export is a row: what it holds is decided when it begins, and each of its files is
-- read when a client asks for it. No process works for it, so no process can lose it.
create schema fhir;
grant usage on schema fhir to rounds_server;

create table fhir.exports (
  export_id uuid primary key default gen_random_uuid(),
  requested_by text not null,
  allowed_as text not null check (allowed_as = 'staff'),
  reason text,
  -- The request as it was sent, below the base address.
  request text not null check (char_length(request) <= 500),
  -- Which transactions had committed. It says exactly what belongs to the export; transaction_time is the same for people, and for the
  -- parameter _since of a later export. The clock is read before the snapshot.
  transaction_time timestamptz not null default date_trunc('milliseconds', now()) unique,
  snapshot pg_snapshot not null default pg_current_snapshot(),
  -- To which history of this database the transaction ids belong.
  generation uuid not null,
  -- Whose patients these are: those of the slots that were served here.
  slots int4multirange not null,
  -- With _since: only what the snapshot of an earlier export did not show; and where there was none of that very time, only what was
  -- changed from this time on.
  since timestamptz,
  since_snapshot pg_snapshot,
  changed_from timestamptz,
  expires_at timestamptz not null default now() + interval '1 day',
  -- One of the few that a caller may have at a time; null when it was deleted or has expired. The row stays, because a later export may
  -- begin where it ended.
  place smallint check (place between 1 and 10),
  unique (requested_by, place)
);
create index exports_by_caller on fhir.exports (requested_by, transaction_time);

-- When it was and what it holds, the database says.
grant select, delete on fhir.exports to rounds_server;
grant insert (requested_by, allowed_as, reason, request, generation, slots, since, since_snapshot, changed_from, place)
  on fhir.exports to rounds_server;
grant update (place) on fhir.exports to rounds_server;

-- A file of an export is a partition, read along its own index. The role could read the same through the whole table, by way of all
-- 32 indexes for each page.
do $$
begin
  for remainder in 0..31 loop
    execute format('grant select on casesheet.readings_%s to rounds_server', remainder);
  end loop;
end
$$;
