-- A doctor has looked at the readings of a patient, and may say something about them. Rows are only ever added; they go with the
-- patient, when the patient is erased.
create table casesheet.reviews (
  patient_uid text collate "C" not null check (patient_uid <> ''),
  -- Drawn by the client, so that a request that is sent again stores nothing more.
  review_id uuid not null,
  doctor_id text collate "C" not null check (doctor_id <> ''),
  reviewed_by text not null,
  note text check (char_length(note) between 1 and 1000),
  at timestamptz not null,
  changed_xid xid8 not null,
  primary key (patient_uid, review_id)
);
create index reviews_by_doctor on casesheet.reviews (patient_uid, doctor_id, at);
create index reviews_by_time on casesheet.reviews (patient_uid, at, review_id);

create function casesheet.stamp_review() returns trigger
language plpgsql as $$
begin
  new.at := clock_timestamp();
  new.changed_xid := pg_current_xact_id();
  return new;
end
$$;
revoke execute on function casesheet.stamp_review from public;
create trigger stamp_review
before insert on casesheet.reviews
for each row execute function casesheet.stamp_review();

-- Replicated to another cluster, a row keeps its time and gets its place in the sequence of changes there.
create trigger stamp_replicated
before insert or update on casesheet.reviews
for each row execute function casesheet.stamp_replicated();
alter table casesheet.reviews enable replica trigger stamp_replicated;

grant select on casesheet.reviews to rounds_server;
grant insert (patient_uid, review_id, doctor_id, reviewed_by, note) on casesheet.reviews to rounds_server;

-- What the list of a doctor's patients is made of. Everything in this schema is derived from readings and targets, and can be made
-- again.
create schema care;

-- The patients whom a doctor has looked for. Whoever makes the summaries of a patient compares the version, and raises it.
create table care.patients (
  patient_uid text collate "C" primary key check (patient_uid <> ''),
  version bigint not null default 0,
  -- The transaction that changed the summaries last.
  changed_xid xid8 not null default pg_current_xact_id()
) with (fillfactor = 70);

-- In which time zones their days are kept, because a doctor has asked for them, and when that was last.
create table care.patient_zones (
  patient_uid text collate "C" not null,
  time_zone text collate "C" not null check (time_zone <> ''),
  asked_on date not null,
  -- asked: by a doctor. marked: all types are marked as stale. made: there are summaries of all types.
  state text not null default 'asked' check (state in ('asked', 'marked', 'made')),
  primary key (patient_uid, time_zone)
) with (fillfactor = 70);
create index patient_zones_to_make on care.patient_zones (state, patient_uid) where state <> 'made';
create index patient_zones_by_age on care.patient_zones (asked_on);

-- Of which patients and types something changed, and between which times of measuring. A change that comes while the summary is made raises the
-- version, so that the mark stays.
create table care.stale (
  patient_uid text collate "C" not null,
  -- A type of the catalogue, or symptom; all other types are together under the empty text. So it is in the tables below.
  reading_type text collate "C" not null,
  measured_from timestamptz not null,
  measured_to timestamptz not null,
  version bigint not null default 0,
  -- Whether nothing was made before: what changed of others comes first.
  is_first boolean not null default false,
  since timestamptz not null default now(),
  primary key (patient_uid, reading_type)
);
create index stale_by_age on care.stale (is_first, since);

-- The readings of a local day, of the last 30.
create table care.summary_days (
  patient_uid text collate "C" not null,
  time_zone text collate "C" not null,
  reading_type text collate "C" not null,
  date date not null,
  readings integer not null,
  from_devices integer not null,
  last_at timestamptz not null,
  -- How many have a number in a field that has a target, and how many of those have none outside its target.
  judged integer not null,
  in_target integer not null,
  -- Of the first field: below and above the target, and below and above its outer bounds.
  below integer not null,
  above integer not null,
  far_below integer not null,
  far_above integer not null,
  -- The least and the greatest number of each field.
  lowest float8[] not null,
  highest float8[] not null,
  -- Of the readings outside the outer bounds: when the last one arrived, and the one that is farthest outside.
  outside_received timestamptz,
  farthest float8[],
  farthest_at timestamptz,
  farthest_side integer,
  farthest_by float8,
  primary key (patient_uid, time_zone, reading_type, date)
) with (fillfactor = 80);

-- One row for each type of which there are readings or a target.
create table care.summaries (
  patient_uid text collate "C" not null,
  time_zone text collate "C" not null,
  reading_type text collate "C" not null,
  -- The last of the days over which sums are made, and when time alone changes the row.
  made_on date not null,
  due_at timestamptz not null,
  has_target boolean not null,
  -- Whether the target is one for which its publication names a share that should be in it.
  has_goal boolean not null,
  -- In which unit all values are: that of the target when they were made, or the first of the type.
  unit text,
  newest float8[],
  newest_at timestamptz,
  newest_received timestamptz,
  -- For each field -1 below its target, 0 in it, 1 above it, null where there is none; and whether it is outside the outer bounds.
  newest_sides integer[],
  newest_is_outside boolean not null,
  last_at timestamptz,
  -- Over 14 days, and over the 14 days before.
  judged integer not null,
  in_target integer not null,
  judged_before integer not null,
  in_target_before integer not null,
  below integer not null,
  above integer not null,
  far_below integer not null,
  far_above integer not null,
  -- Of the last 30 days those with readings and with readings of devices; the last bit is made_on.
  days bit(30) not null,
  device_days bit(30) not null,
  -- Of 14 days, as in care.summary_days.
  outside_received timestamptz,
  farthest float8[],
  farthest_at timestamptz,
  farthest_side integer,
  primary key (patient_uid, time_zone, reading_type)
) with (fillfactor = 70);
create index summaries_by_due on care.summaries (due_at);

-- In which time zones a doctor has asked for the list on a day. What is derived for a patient is kept once for each zone, so these are
-- bounded.
create table care.doctor_zones (
  doctor_id text collate "C" primary key check (doctor_id <> ''),
  asked_on date not null,
  time_zones text[] not null
) with (fillfactor = 70);
create index doctor_zones_by_age on care.doctor_zones (asked_on);

-- When a doctor last saw a patient in the list: the access log has one entry for each day.
create table care.looks (
  doctor_id text collate "C" not null,
  patient_uid text collate "C" not null,
  looked_on date not null,
  primary key (doctor_id, patient_uid)
) with (fillfactor = 70);
create index looks_by_patient on care.looks (patient_uid);

-- Statistics of the planner would keep ids and notes after an erasure. Every statement goes by an index, and needs none.
do $$
begin
  execute (
    select string_agg(format('alter table %s alter column %I set statistics 0', attrelid::regclass, attname), ';')
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    where (attrelid = 'casesheet.reviews'::regclass or relnamespace = 'care'::regnamespace and relkind = 'r')
      and attnum > 0
  );
end
$$;

grant usage on schema care to rounds_server;
grant select, insert, update, delete on all tables in schema care to rounds_server;

-- The follower that marks what changed. Nobody is in the list yet, so it begins with what comes from now on.
insert into casesheet.followers (name, generation, xid, id)
select 'care:list', generation, pg_snapshot_xmin(pg_current_snapshot()), '00000000-0000-0000-0000-000000000000'
from casesheet.feed;
