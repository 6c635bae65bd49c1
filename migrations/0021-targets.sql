-- What the readings of a patient are compared with: one target for each field of a type. Nothing holds until somebody sets it.
create table casesheet.targets (
  patient_uid text collate "C" not null check (patient_uid <> ''),
  reading_type text collate "C" not null check (reading_type <> ''),
  field text collate "C" not null check (field <> ''),
  -- Every change draws another one, by which its entry of the history is known.
  target_id uuid not null,
  state text not null default 'set' check (state in ('set', 'removed')),
  -- In target: from low to high, both included, or below a value that is not. NaN and the infinities are beyond the bounds.
  low float8 check (abs(low) <= 1e9),
  high float8 check (abs(high) <= 1e9),
  below float8 check (abs(below) <= 1e9),
  unit text not null check (unit <> ''),
  label text check (char_length(label) between 1 and 100),
  -- The published target that was chosen, if it was one.
  preset text check (preset <> ''),
  -- Who set or removed it, as what, and when that was.
  changed_by text not null,
  allowed_as text not null check (allowed_as in ('patient', 'grant')),
  doctor_id text collate "C",
  changed_at timestamptz not null,
  changed_xid xid8 not null,
  primary key (patient_uid, reading_type, field),
  constraint targets_one_bound check (num_nonnulls(low, high, below) > 0),
  constraint targets_high_or_below check (high is null or below is null),
  constraint targets_in_order check (low < coalesce(high, below)),
  constraint targets_doctor check ((allowed_as = 'grant') = (doctor_id is not null))
);
create index targets_by_change on casesheet.targets (changed_xid, target_id);

-- Every version of a target, with what was done. Rows are only ever added; they go with the patient, when the patient is erased.
create table casesheet.target_changes (
  patient_uid text collate "C" not null check (patient_uid <> ''),
  target_id uuid not null,
  reading_type text collate "C" not null,
  field text collate "C" not null,
  action text not null check (action in ('set', 'remove')),
  low float8,
  high float8,
  below float8,
  unit text not null,
  label text,
  preset text,
  changed_by text not null,
  allowed_as text not null,
  doctor_id text collate "C",
  changed_at timestamptz not null,
  primary key (patient_uid, target_id)
);
create index target_changes_by_time on casesheet.target_changes (patient_uid, changed_at, target_id);

-- Statistics of the planner would keep ids and labels after an erasure. Every statement goes by an index, and needs none.
do $$
begin
  execute (
    select string_agg(format('alter table %s alter column %I set statistics 0', attrelid::regclass, attname), ';')
    from pg_attribute
    where attrelid in ('casesheet.targets'::regclass, 'casesheet.target_changes'::regclass)
      and attnum > 0
  );
end
$$;

-- The serving role says what a target is and who changes it. Its version, its time and its history the database writes. A new
-- place in the sequence alone, which rows get when they were copied to another cluster, is no change of the target.
create function casesheet.stamp_target() returns trigger
language plpgsql as $$
begin
  new.target_id := gen_random_uuid();
  new.changed_at := clock_timestamp();
  new.changed_xid := pg_current_xact_id();
  return new;
end
$$;
revoke execute on function casesheet.stamp_target from public;
create trigger stamp_target
before insert or update of state, low, high, below, unit, label, preset, changed_by, allowed_as, doctor_id on casesheet.targets
for each row execute function casesheet.stamp_target();

create function casesheet.record_target() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into casesheet.target_changes
    (patient_uid, target_id, reading_type, field, action, low, high, below, unit, label, preset, changed_by, allowed_as,
     doctor_id, changed_at)
  values (
    new.patient_uid, new.target_id, new.reading_type, new.field,
    case when new.state = 'set' then 'set' else 'remove' end,
    new.low, new.high, new.below, new.unit, new.label, new.preset, new.changed_by, new.allowed_as,
    new.doctor_id, new.changed_at
  );
  return null;
end
$$;
revoke execute on function casesheet.record_target from public;
create trigger record_target
after insert or update of state, low, high, below, unit, label, preset, changed_by, allowed_as, doctor_id on casesheet.targets
for each row execute function casesheet.record_target();

-- Replicated to another cluster, a row keeps its version and time and gets its place in the sequence of changes there.
create trigger stamp_replicated
before insert or update on casesheet.targets
for each row execute function casesheet.stamp_replicated();
alter table casesheet.targets enable replica trigger stamp_replicated;

grant select on casesheet.targets, casesheet.target_changes to rounds_server;
grant insert (patient_uid, reading_type, field, low, high, below, unit, label, preset, changed_by, allowed_as, doctor_id)
  on casesheet.targets to rounds_server;
grant update (state, low, high, below, unit, label, preset, changed_by, allowed_as, doctor_id)
  on casesheet.targets to rounds_server;
