-- A patient shares readings with a doctor of the directory. Every read by the doctor proves its grant here.
create table casesheet.grants (
  patient_uid text collate "C" not null check (patient_uid <> ''),
  doctor_id text collate "C" not null check (doctor_id <> ''),
  -- Every change draws another one. A statement names the one on which it relies, and finds nothing under an older one.
  grant_id uuid not null,
  state text not null default 'given' check (state in ('given', 'revoked')),
  permission text not null check (permission in ('view', 'manage')),
  -- Null for all types. An empty list would be a grant of nothing.
  reading_types text[] check (cardinality(reading_types) > 0),
  valid_until timestamptz not null default 'infinity',
  -- How the patient wants to appear to this doctor, and its place in the doctor's list.
  shared_as text,
  list_key text collate "C" not null,
  -- How this doctor may reach the patient.
  contact text,
  -- Since when the patient has shared with the doctor, whatever was changed meanwhile.
  given_at timestamptz not null,
  -- Who gave, changed or revoked it, and when that was.
  changed_by text not null,
  changed_at timestamptz not null,
  changed_xid xid8 not null,
  primary key (patient_uid, doctor_id)
);
-- With the end, so that expired grants are passed over within the index.
create index grants_by_doctor on casesheet.grants (doctor_id, list_key, patient_uid, valid_until) where state = 'given';
-- How many there are is counted as one is given.
create index grants_in_force on casesheet.grants (patient_uid, valid_until) where state = 'given';
create index grants_by_change on casesheet.grants (changed_xid, grant_id);

-- Every version of a grant, with what was done. Rows are only ever added; they go with the patient, when the patient is erased.
create table casesheet.grant_changes (
  patient_uid text collate "C" not null check (patient_uid <> ''),
  grant_id uuid not null,
  doctor_id text collate "C" not null,
  action text not null check (action in ('give', 'change', 'revoke')),
  permission text not null,
  reading_types text[],
  valid_until timestamptz not null,
  shared_as text,
  contact text,
  changed_by text not null,
  changed_at timestamptz not null,
  primary key (patient_uid, grant_id)
);
create index grant_changes_by_time on casesheet.grant_changes (patient_uid, changed_at, grant_id);
-- Which grants have expired, unless they were changed before.
create index grant_changes_by_end on casesheet.grant_changes (patient_uid, valid_until, grant_id)
where valid_until < 'infinity' and action <> 'revoke';
create index grant_changes_of_doctor on casesheet.grant_changes (patient_uid, doctor_id, changed_at);

-- Statistics of the planner would keep ids and names after an erasure. Every statement goes by an index, and needs none.
do $$
begin
  execute (
    select string_agg(format('alter table %s alter column %I set statistics 0', attrelid::regclass, attname), ';')
    from pg_attribute
    where attrelid in ('casesheet.grants'::regclass, 'casesheet.grant_changes'::regclass)
      and attnum > 0
  );
end
$$;

-- The serving role says what a grant holds and who changes it. Its version, its times and its history the database writes. A new
-- place in the sequence alone, which rows get when they were copied to another cluster, is no change of the grant.
create function casesheet.stamp_grant() returns trigger
language plpgsql as $$
begin
  new.grant_id := gen_random_uuid();
  new.changed_at := clock_timestamp();
  new.changed_xid := pg_current_xact_id();
  new.given_at := case
    when tg_op = 'INSERT' or old.state = 'revoked' or old.valid_until <= new.changed_at then new.changed_at
    else old.given_at
  end;
  return new;
end
$$;
revoke execute on function casesheet.stamp_grant from public;
create trigger stamp_grant
before insert or update of state, permission, reading_types, valid_until, shared_as, contact, list_key, changed_by on casesheet.grants
for each row execute function casesheet.stamp_grant();

-- At most 100 grants of a patient are in force. Those who give for one patient wait for each other, so that two cannot both be the
-- hundredth. It comes before the lock of the row, also where the row is there already, so that they cannot block each other.
-- 22E02: there are 100.
create function casesheet.limit_grants() returns trigger
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(new.patient_uid, 19));
  if (
    select count(*)
    from casesheet.grants
    where patient_uid = new.patient_uid
      and doctor_id <> new.doctor_id
      and state = 'given'
      and valid_until > now()
  ) >= 100 then
    raise exception sqlstate '22E02' using message = 'the patient shares with 100 doctors';
  end if;
  return new;
end
$$;
revoke execute on function casesheet.limit_grants from public;
create trigger limit_grants
before insert on casesheet.grants
for each row execute function casesheet.limit_grants();

create function casesheet.record_grant() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into casesheet.grant_changes
    (patient_uid, grant_id, doctor_id, action, permission, reading_types, valid_until, shared_as, contact, changed_by, changed_at)
  values (
    new.patient_uid, new.grant_id, new.doctor_id,
    case
      when new.state = 'revoked' then 'revoke'
      when new.given_at = new.changed_at then 'give'
      else 'change'
    end,
    new.permission, new.reading_types, new.valid_until, new.shared_as, new.contact, new.changed_by, new.changed_at
  );
  return null;
end
$$;
revoke execute on function casesheet.record_grant from public;
create trigger record_grant
after insert or update of state, permission, reading_types, valid_until, shared_as, contact, list_key, changed_by on casesheet.grants
for each row execute function casesheet.record_grant();

create trigger stamp_replicated
before insert or update on casesheet.grants
for each row execute function casesheet.stamp_replicated();
alter table casesheet.grants enable replica trigger stamp_replicated;

grant select on casesheet.grants, casesheet.grant_changes to rounds_server;
grant insert (patient_uid, doctor_id, permission, reading_types, valid_until, shared_as, contact, list_key, changed_by)
  on casesheet.grants to rounds_server;
grant update (state, permission, reading_types, valid_until, shared_as, contact, list_key, changed_by)
  on casesheet.grants to rounds_server;
