-- What doctors work with: targets, reviews, rules and alerts, which are stored with the readings; and what is derived from them, in a
-- schema of its own.

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

create trigger stamp_replicated
before insert or update on casesheet.targets
for each row execute function casesheet.stamp_replicated();
alter table casesheet.targets enable replica trigger stamp_replicated;

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

create trigger stamp_replicated
before insert or update on casesheet.reviews
for each row execute function casesheet.stamp_replicated();
alter table casesheet.reviews enable replica trigger stamp_replicated;

-- What a doctor wants to be notified of: rules for the readings of a patient. Nothing is a rule until a doctor sets it.
create table casesheet.rules (
  patient_uid text collate "C" not null check (patient_uid <> ''),
  rule_id uuid not null,
  -- Every change draws another one. It is a rule of its own to the readings: it looks at those that were measured from changed_at on.
  version_id uuid not null,
  state text not null default 'set' check (state in ('set', 'removed')),
  reading_type text collate "C" not null check (reading_type <> ''),
  -- Null for missing, which looks at no value.
  field text collate "C" check (field <> ''),
  severity text not null check (severity in ('notice', 'warning', 'urgent')),
  -- The whole rule as the interface writes it, without patientUid and ruleId.
  terms jsonb not null check (octet_length(terms::text) <= 2000),
  -- Who set or removed it, and when that was.
  changed_by text not null,
  doctor_id text collate "C" not null check (doctor_id <> ''),
  changed_at timestamptz not null,
  changed_xid xid8 not null,
  primary key (patient_uid, rule_id)
);
create unique index rules_once on casesheet.rules (patient_uid, terms) where state = 'set';
create index rules_by_type on casesheet.rules (patient_uid, reading_type) where state = 'set';
create index rules_by_doctor on casesheet.rules (doctor_id) where state = 'set';
create index rules_by_change on casesheet.rules (changed_xid, version_id);

-- Every version of a rule. Rows are only ever added; they go with the patient.
create table casesheet.rule_changes (
  patient_uid text collate "C" not null check (patient_uid <> ''),
  version_id uuid not null,
  rule_id uuid not null,
  action text not null check (action in ('set', 'remove')),
  terms jsonb not null,
  changed_by text not null,
  doctor_id text collate "C" not null,
  changed_at timestamptz not null,
  primary key (patient_uid, version_id)
);

-- The spans of time in which a rule holds. They follow from the readings, the rules and the clock; what people did with them stands in
-- alert_events.
create table casesheet.alerts (
  patient_uid text collate "C" not null check (patient_uid <> ''),
  alert_id uuid not null,
  rule_id uuid not null,
  version_id uuid not null,
  reading_type text collate "C" not null,
  field text collate "C",
  severity text not null check (severity in ('notice', 'warning', 'urgent')),
  -- pending: the rule begins to hold. open: it holds. resolved: it held. retracted: as is known now, it never held.
  condition text not null check (condition in ('pending', 'open', 'resolved', 'retracted')),
  -- When the reading was measured by which the rule holds, or when one was missing; and that which ended it.
  since timestamptz not null,
  since_id uuid not null,
  until timestamptz,
  -- From when on that could be known: when the last of those readings arrived.
  opened_at timestamptz not null,
  resolved_at timestamptz,
  -- The readings by which it opened: [{readingId, measuredAt, value, unit}], at most 20.
  readings jsonb not null,
  -- One sentence.
  why text not null,
  -- When it was first announced, and why it was not: late, inhibited.
  announced_at timestamptz,
  quiet text check (quiet in ('late', 'inhibited')),
  -- The newest reading that the doctor could have seen: an acknowledgement is one of the span of time that it lies in.
  acknowledged_point timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by text,
  acknowledged_doctor text collate "C",
  acknowledged_note text,
  changed_xid xid8 not null,
  primary key (patient_uid, alert_id),
  constraint alerts_in_order check (until >= since),
  constraint alerts_until check ((condition = 'resolved') = (until is not null and resolved_at is not null))
) with (fillfactor = 80);
create index alerts_by_rule on casesheet.alerts (patient_uid, rule_id, since);
create index alerts_by_state on casesheet.alerts (patient_uid, condition, severity, opened_at, alert_id);
create index alerts_active on casesheet.alerts (patient_uid) where condition in ('open', 'pending');
-- Whether alerts of a patient changed since a time: asked for each patient of a doctor whenever the list looks for news. Without it,
-- all alerts that these patients ever had are read.
create index alerts_of_patient_by_change on casesheet.alerts (patient_uid, changed_xid);

-- What became of an alert, by whom and why. Rows are only ever added; they go with the patient.
create table casesheet.alert_events (
  patient_uid text collate "C" not null check (patient_uid <> ''),
  event_id uuid not null,
  alert_id uuid not null,
  rule_id uuid not null,
  event text not null check (event in ('recorded', 'opened', 'reopened', 'acknowledged', 'resolved', 'retracted')),
  -- Whether other systems are told.
  is_announced boolean not null,
  severity text not null,
  reading_type text collate "C" not null,
  why text not null,
  note text check (char_length(note) between 1 and 1000),
  -- The subject and the doctor; null where it was Rounds.
  by text,
  doctor_id text collate "C",
  point timestamptz,
  at timestamptz not null,
  changed_xid xid8 not null,
  primary key (patient_uid, event_id)
);
create index alert_events_by_alert on casesheet.alert_events (patient_uid, alert_id, at, event_id);
create index alert_events_by_rule on casesheet.alert_events (patient_uid, rule_id, point) where event = 'acknowledged';
create index alert_events_by_change on casesheet.alert_events (changed_xid, event_id);

-- The serving role says what a rule is and who changes it. Its version, its time and its history the database writes.
create function casesheet.stamp_rule() returns trigger
language plpgsql as $$
begin
  new.version_id := gen_random_uuid();
  new.changed_at := clock_timestamp();
  new.changed_xid := pg_current_xact_id();
  return new;
end
$$;
revoke execute on function casesheet.stamp_rule from public;
create trigger stamp_rule
before insert or update of state, reading_type, field, severity, terms, changed_by, doctor_id on casesheet.rules
for each row execute function casesheet.stamp_rule();

-- At most 50 rules are set for a patient, and 10,000 by a doctor. Those who set rules of one patient wait for each other, so that two
-- cannot both set the fiftieth.
-- 22E04: the patient has 50. 22E05: the doctor has 10,000.
create function casesheet.limit_rules() returns trigger
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(new.patient_uid, 25));
  if tg_op = 'INSERT' and (
    select count(*)
    from casesheet.rules
    where patient_uid = new.patient_uid
      and state = 'set'
  ) >= 50 then
    raise exception sqlstate '22E04' using message = 'the patient has 50 rules';
  end if;
  if new.state = 'set' and (tg_op = 'INSERT' or new.doctor_id <> old.doctor_id) then
    perform pg_advisory_xact_lock(hashtextextended(new.doctor_id, 26));
    if (
      select count(*)
      from casesheet.rules
      where doctor_id = new.doctor_id
        and state = 'set'
    ) >= 10000 then
      raise exception sqlstate '22E05' using message = 'the doctor has set 10,000 rules';
    end if;
  end if;
  return new;
end
$$;
revoke execute on function casesheet.limit_rules from public;
create trigger limit_rules
before insert or update of state, reading_type, field, severity, terms, changed_by, doctor_id on casesheet.rules
for each row execute function casesheet.limit_rules();

create function casesheet.record_rule() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into casesheet.rule_changes
    (patient_uid, version_id, rule_id, action, terms, changed_by, doctor_id, changed_at)
  values (
    new.patient_uid, new.version_id, new.rule_id, case when new.state = 'set' then 'set' else 'remove' end,
    new.terms, new.changed_by, new.doctor_id, new.changed_at
  );
  return null;
end
$$;
revoke execute on function casesheet.record_rule from public;
create trigger record_rule
after insert or update of state, reading_type, field, severity, terms, changed_by, doctor_id on casesheet.rules
for each row execute function casesheet.record_rule();

create function casesheet.stamp_alert() returns trigger
language plpgsql as $$
begin
  new.changed_xid := pg_current_xact_id();
  return new;
end
$$;
revoke execute on function casesheet.stamp_alert from public;
create trigger stamp_alert
before insert or update on casesheet.alerts
for each row execute function casesheet.stamp_alert();

create function casesheet.stamp_alert_event() returns trigger
language plpgsql as $$
begin
  -- Drawn before where the statement may run twice.
  new.event_id := coalesce(new.event_id, gen_random_uuid());
  new.at := clock_timestamp();
  new.changed_xid := pg_current_xact_id();
  return new;
end
$$;
revoke execute on function casesheet.stamp_alert_event from public;
create trigger stamp_alert_event
before insert on casesheet.alert_events
for each row execute function casesheet.stamp_alert_event();

create trigger stamp_replicated before insert or update on casesheet.rules
for each row execute function casesheet.stamp_replicated();
alter table casesheet.rules enable replica trigger stamp_replicated;
create trigger stamp_replicated before insert or update on casesheet.alerts
for each row execute function casesheet.stamp_replicated();
alter table casesheet.alerts enable replica trigger stamp_replicated;
create trigger stamp_replicated before insert or update on casesheet.alert_events
for each row execute function casesheet.stamp_replicated();
alter table casesheet.alert_events enable replica trigger stamp_replicated;

-- What the list of a doctor's patients is made of. Everything in this schema is derived from readings, targets and rules, and
-- can be made again.
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

-- Of which patients and types something changed that a rule looks at, and between which times. A change that comes while the rules are
-- evaluated raises the version, so that the mark stays.
create table care.alert_marks (
  patient_uid text collate "C" not null,
  reading_type text collate "C" not null,
  measured_from timestamptz not null,
  measured_to timestamptz not null,
  version bigint not null default 0,
  since timestamptz not null default now(),
  -- Not before: the last attempt failed.
  rest_until timestamptz not null default '-infinity',
  primary key (patient_uid, reading_type)
);
create index alert_marks_by_age on care.alert_marks (since);

-- When a rule looks at the clock next, because readings may be missing. It may be too early, never too late.
create table care.rule_clocks (
  patient_uid text collate "C" not null,
  rule_id uuid not null,
  reading_type text collate "C" not null,
  due_at timestamptz not null,
  primary key (patient_uid, rule_id)
) with (fillfactor = 80);
create index rule_clocks_by_due on care.rule_clocks (due_at);

-- When the rules were last looked after, and when they were not: in that time readings could not arrive, so none were missing.
create table care.alert_watch (
  one boolean primary key default true check (one),
  watched_at timestamptz,
  -- Counts what evaluations have written. A write names the count that it was made from: sent twice, or late, it does nothing.
  writes bigint not null default 0
);
insert into care.alert_watch default values;
create table care.outages (
  began_at timestamptz primary key,
  ended_at timestamptz not null check (ended_at > began_at)
);

-- When a doctor last saw a patient in the list of alerts: the access log has one entry for each day.
create table care.alert_looks (
  doctor_id text collate "C" not null,
  patient_uid text collate "C" not null,
  looked_on date not null,
  primary key (doctor_id, patient_uid)
) with (fillfactor = 70);
create index alert_looks_by_patient on care.alert_looks (patient_uid);

-- Statistics of the planner would keep ids, values, labels and notes after an erasure. Every statement goes by an index, and needs none.
do $$
begin
  execute (
    select string_agg(format('alter table %s alter column %I set statistics 0', attrelid::regclass, attname), ';')
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    where relkind = 'r'
      and attnum > 0
      and (
        relnamespace = 'care'::regnamespace
        or attrelid in (
          'casesheet.targets'::regclass, 'casesheet.target_changes'::regclass, 'casesheet.reviews'::regclass,
          'casesheet.rules'::regclass, 'casesheet.rule_changes'::regclass, 'casesheet.alerts'::regclass,
          'casesheet.alert_events'::regclass
        )
      )
  );
end
$$;

grant select on casesheet.targets, casesheet.target_changes to rounds_server;
grant insert (patient_uid, reading_type, field, low, high, below, unit, label, preset, changed_by, allowed_as, doctor_id)
  on casesheet.targets to rounds_server;
grant update (state, low, high, below, unit, label, preset, changed_by, allowed_as, doctor_id)
  on casesheet.targets to rounds_server;
grant select on casesheet.reviews to rounds_server;
grant insert (patient_uid, review_id, doctor_id, reviewed_by, note) on casesheet.reviews to rounds_server;
grant select on casesheet.rules, casesheet.rule_changes, casesheet.alerts, casesheet.alert_events to rounds_server;
grant insert (patient_uid, rule_id, reading_type, field, severity, terms, changed_by, doctor_id)
  on casesheet.rules to rounds_server;
grant update (state, reading_type, field, severity, terms, changed_by, doctor_id) on casesheet.rules to rounds_server;
grant insert, update, delete on casesheet.alerts to rounds_server;
grant insert (patient_uid, event_id, alert_id, rule_id, event, is_announced, severity, reading_type, why, note, by, doctor_id, point)
  on casesheet.alert_events to rounds_server;
grant usage on schema care to rounds_server;
grant select, insert, update, delete on all tables in schema care to rounds_server;

-- The followers that mark what changed. Nobody is in a list yet and there are no rules, so they begin with what comes from now on.
insert into casesheet.followers (name, generation, xid, id)
select name, generation, pg_snapshot_xmin(pg_current_snapshot()), '00000000-0000-0000-0000-000000000000'
from casesheet.feed
cross join unnest(array['care:list', 'alerts:rules']) as name;
