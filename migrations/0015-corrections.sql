-- Every withdrawal and every restoration of a reading leaves a row: what was done, by whom, why they were allowed to, why and
-- when. Rows are only ever added; they go with the patient, when the patient is erased.
create table casesheet.corrections (
  patient_uid text collate "C" not null check (patient_uid <> ''),
  -- Made by the server for each request: a statement that is sent again after a lost connection meets its own row.
  correction_id uuid not null,
  measured_at timestamptz not null,
  reading_id uuid not null,
  action text not null check (action in ('withdraw', 'restore')),
  corrected_by text not null,
  -- patient: the token names the patient, as that of a carer does. staff: the token has the scope for withdrawing.
  allowed_as text not null check (allowed_as in ('patient', 'staff')),
  reason text,
  -- When the row was written, by which time the reading is locked: corrections of one reading are in the order of their times.
  at timestamptz not null default clock_timestamp(),
  primary key (patient_uid, correction_id)
) partition by hash (patient_uid);

create index corrections_by_reading on casesheet.corrections (patient_uid, measured_at, reading_id, at);

do $$
begin
  for remainder in 0..31 loop
    execute format(
      'create table casesheet.corrections_%1$s partition of casesheet.corrections for values with (modulus 32, remainder %1$s)',
      remainder);
  end loop;
end
$$;

-- The time is the database's.
grant select on casesheet.corrections to rounds_server;
grant insert (patient_uid, correction_id, measured_at, reading_id, action, corrected_by, allowed_as, reason)
  on casesheet.corrections to rounds_server;

-- Which correction a request has made; null where it read, or changed nothing.
alter table casesheet.access_log add column correction_id uuid;

-- Why the one who withdrew a reading was allowed to: a patient restores only what a patient or carer has withdrawn. Null while it
-- is not withdrawn, and where a release before this one has withdrawn it.
alter table casesheet.readings add column withdrawn_as text;
grant update (withdrawn_as) on casesheet.readings to rounds_server;

-- As before, and a server of the release before, which does not know withdrawn_as, leaves no old value in it.
create or replace function casesheet.stamp_change() returns trigger
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
  return new;
end
$$;
