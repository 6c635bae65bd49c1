-- What doctors work with: targets, reviews, rules and alerts, which are stored with the readings; and what is derived from them, in a
-- schema of its own.

-- What readings are compared with: for each author one target of a type for a patient, and one for all who share with the author. Nothing
-- holds until somebody sets it, and nobody's target replaces another author's.
create table casesheet.targets (
  set_at timestamptz not null,
  changed_xid xid8 not null,
  -- Every change of what it judges draws another one, by which the days that were judged by it are known.
  target_id uuid primary key,
  author_kind text not null check (author_kind in ('doctor', 'practice', 'patient')),
  -- The doctor, the practice or the patient.
  author_id text collate "C" not null check (author_id <> ''),
  author_name text check (char_length(author_name) between 1 and 200),
  -- Null: for all who share with `manage`.
  patient_uid text collate "C" check (patient_uid <> ''),
  reading_type text collate "C" not null check (reading_type <> ''),
  state text not null default 'set' check (state in ('set', 'removed')),
  unit text not null check (unit <> ''),
  -- As the interface writes them: what holds for each field.
  fields jsonb not null check (octet_length(fields::text) <= 4000),
  -- After which silence the patient is listed, as ISO 8601 has it; null expects nothing.
  expect_every text check (expect_every <> ''),
  label text check (char_length(label) between 1 and 100),
  -- The published target that was chosen, if it was one.
  preset text check (preset <> ''),
  set_by text not null,
  constraint targets_once unique nulls not distinct (patient_uid, reading_type, author_kind, author_id),
  constraint targets_of_patient check (author_kind <> 'patient' or author_id = patient_uid)
);
create index targets_of_author on casesheet.targets (author_kind, author_id, reading_type) where patient_uid is null;
create index targets_by_change on casesheet.targets (changed_xid, target_id);

-- Every version of a target, with what was done. Rows are only ever added; they go with the patient, when the patient is erased.
create table casesheet.target_changes (
  at timestamptz not null,
  target_id uuid not null,
  author_kind text not null,
  author_id text collate "C" not null,
  author_name text,
  patient_uid text collate "C",
  reading_type text collate "C" not null,
  action text not null check (action in ('set', 'remove')),
  unit text not null,
  fields jsonb not null,
  expect_every text,
  label text,
  preset text,
  by text not null,
  primary key (target_id, at)
);
create index target_changes_of_patient on casesheet.target_changes (patient_uid, at, target_id);
create index target_changes_of_author on casesheet.target_changes (author_kind, author_id, at, target_id) where patient_uid is null;

-- The serving role says what a target is and who changes it. Its version, its time and its history the database writes. A new
-- place in the sequence alone, which rows get when they were copied to another cluster, is no change of the target. Another label is none
-- of what it judges.
create function casesheet.stamp_target() returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' or (new.state, new.unit, new.fields, new.expect_every)
    is distinct from (old.state, old.unit, old.fields, old.expect_every) then
    new.target_id := gen_random_uuid();
  end if;
  new.set_at := clock_timestamp();
  new.changed_xid := pg_current_xact_id();
  return new;
end
$$;
revoke execute on function casesheet.stamp_target from public;
create trigger stamp_target
before insert or update of author_name, state, unit, fields, expect_every, label, preset, set_by on casesheet.targets
for each row execute function casesheet.stamp_target();

create function casesheet.record_target() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into casesheet.target_changes
    (at, target_id, author_kind, author_id, author_name, patient_uid, reading_type, action, unit, fields, expect_every, label, preset, by)
  values (
    new.set_at, new.target_id, new.author_kind, new.author_id, new.author_name, new.patient_uid, new.reading_type,
    case when new.state = 'set' then 'set' else 'remove' end,
    new.unit, new.fields, new.expect_every, new.label, new.preset, new.set_by
  );
  return null;
end
$$;
revoke execute on function casesheet.record_target from public;
create trigger record_target
after insert or update of author_name, state, unit, fields, expect_every, label, preset, set_by on casesheet.targets
for each row execute function casesheet.record_target();

create trigger stamp_replicated
before insert or update on casesheet.targets
for each row execute function casesheet.stamp_replicated();
alter table casesheet.targets enable replica trigger stamp_replicated;

-- A doctor has looked at a patient: what the answer showed, and perhaps a note and a date. Rows are only ever added, but for an undo
-- within a minute; they go with the patient, when the patient is erased.
create table casesheet.looks (
  at timestamptz not null,
  changed_xid xid8 not null,
  -- Readings that were judged up to this position were shown.
  seen_up_to bigint not null check (seen_up_to >= 0),
  look_again_at timestamptz,
  undone_at timestamptz,
  -- Drawn by the client, so that a request that is sent again stores nothing more.
  review_id uuid not null,
  patient_uid text collate "C" not null check (patient_uid <> ''),
  doctor_id text collate "C" check (doctor_id <> ''),
  practice_id text collate "C" check (practice_id <> ''),
  looked_by text not null,
  name text,
  -- Of which types readings were shown; null for all. One counter serves all types.
  reading_types text[],
  -- The keys of what else was shown, and how far beyond its limit each was.
  saw text[] not null,
  -- Alerts that it acknowledged.
  acknowledged uuid[] not null,
  note text check (char_length(note) between 1 and 1000),
  visible_to text check (visible_to in ('patient', 'doctors')),
  -- What it says of a date: it keeps a pending one, sets another, or takes it away.
  date_says text not null check (date_says in ('keep', 'set', 'none')),
  primary key (patient_uid, review_id),
  constraint looks_note check ((note is null) = (visible_to is null)),
  constraint looks_date check ((date_says = 'set') = (look_again_at is not null)),
  constraint looks_of_somebody check (num_nonnulls(doctor_id, practice_id) > 0)
);
create index looks_by_time on casesheet.looks (patient_uid, at, review_id);

create function casesheet.stamp_look() returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.at := clock_timestamp();
  else
    new.undone_at := clock_timestamp();
  end if;
  new.changed_xid := pg_current_xact_id();
  return new;
end
$$;
revoke execute on function casesheet.stamp_look from public;
create trigger stamp_look
before insert or update of undone_at on casesheet.looks
for each row execute function casesheet.stamp_look();

create trigger stamp_replicated
before insert or update on casesheet.looks
for each row execute function casesheet.stamp_replicated();
alter table casesheet.looks enable replica trigger stamp_replicated;

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
create index rule_changes_by_time on casesheet.rule_changes (patient_uid, changed_at, version_id);

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
-- Lists name those that ended in the last days, and pass over all that ended before.
create index alerts_ended on casesheet.alerts (patient_uid, resolved_at) where condition = 'resolved' and severity = 'urgent';
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
  -- The look that acknowledged it. If that is taken back, the alert was not acknowledged.
  review_id uuid,
  primary key (patient_uid, event_id)
);
create index alert_events_by_time on casesheet.alert_events (patient_uid, at, event_id);
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

-- Patients who share with a doctor, and a number that is raised whenever something is made of one: whoever makes it compares the number
-- first. New evidence gets the new number, which is its position. It starts as the time in milliseconds.
create table care.patients (
  judged bigint not null default 0,
  patient_uid text collate "C" primary key check (patient_uid <> '')
) with (fillfactor = 70);

-- Of which patients and types something changed, and between which times. A change that comes while it is made raises the version, so
-- that the mark stays.
create table care.marks (
  measured_from timestamptz not null,
  measured_to timestamptz not null,
  version bigint not null default 0,
  since timestamptz not null default now(),
  patient_uid text collate "C" not null,
  reading_type text collate "C" not null,
  primary key (patient_uid, reading_type)
);
-- What changed is made before what was never made.
create index marks_by_age on care.marks (since) where measured_from > '-infinity';
create index marks_of_first_by_age on care.marks (since) where measured_from = '-infinity';

-- The sums of a UTC day for a target, of today and 29 days before: a list for the fields, in the order of the target. A sensor's parts are
-- hours, those of other types numbers of values.
create table care.days (
  target_id uuid not null,
  day date not null,
  patient_uid text collate "C" not null,
  reading_type text collate "C" not null,
  readings integer[] not null,
  sum float8[] not null,
  total float8[] not null,
  in_range float8[] not null,
  below float8[] not null,
  far_below float8[] not null,
  above float8[] not null,
  far_above float8[] not null,
  lowest float8[] not null,
  highest float8[] not null,
  primary key (patient_uid, target_id, day)
) with (fillfactor = 80);

-- Readings beyond the act limits of a target, symptoms other than mild ones, and readings with impossible times, for 14 days after their
-- arrival.
create table care.evidence (
  measured_at timestamptz not null,
  received_at timestamptz not null,
  position bigint not null,
  value float8,
  reading_id uuid not null,
  -- Null for symptoms and clocks.
  target_id uuid,
  patient_uid text collate "C" not null,
  kind text not null check (kind in ('value', 'symptom', 'clock')),
  reading_type text collate "C" not null,
  field text collate "C",
  -- What people are shown of the reading: its numbers, or the symptom.
  shown jsonb not null,
  severity text,
  constraint evidence_once unique nulls not distinct (patient_uid, kind, target_id, field, reading_id, measured_at)
);

-- The newest reading of each type, and on which of the last 30 UTC days there was one; the last bit is counted_on.
create table care.newest (
  measured_at timestamptz not null,
  received_at timestamptz not null,
  reading_id uuid not null,
  counted_on date not null,
  data_days bit(30) not null,
  patient_uid text collate "C" not null,
  reading_type text collate "C" not null,
  unit text,
  values jsonb not null,
  primary key (patient_uid, reading_type)
) with (fillfactor = 80);

-- When a doctor last saw a patient in the list: the access log has one entry for each day.
create table care.list_looks (
  doctor_id text collate "C" not null,
  patient_uid text collate "C" not null,
  looked_on date not null,
  primary key (doctor_id, patient_uid)
) with (fillfactor = 70);
create index list_looks_by_patient on care.list_looks (patient_uid);

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
          'casesheet.targets'::regclass, 'casesheet.target_changes'::regclass, 'casesheet.looks'::regclass,
          'casesheet.rules'::regclass, 'casesheet.rule_changes'::regclass, 'casesheet.alerts'::regclass,
          'casesheet.alert_events'::regclass
        )
      )
  );
end
$$;

grant select on casesheet.targets, casesheet.target_changes to rounds_server;
grant insert (author_kind, author_id, author_name, patient_uid, reading_type, unit, fields, expect_every, label, preset, set_by)
  on casesheet.targets to rounds_server;
grant update (author_name, state, unit, fields, expect_every, label, preset, set_by) on casesheet.targets to rounds_server;
grant select on casesheet.looks to rounds_server;
grant insert (
    seen_up_to, look_again_at, review_id, patient_uid, doctor_id, practice_id, looked_by, name, reading_types, saw, acknowledged, note,
    visible_to, date_says
  ), update (undone_at) on casesheet.looks to rounds_server;
grant select on casesheet.rules, casesheet.rule_changes, casesheet.alerts, casesheet.alert_events to rounds_server;
grant insert (patient_uid, rule_id, reading_type, field, severity, terms, changed_by, doctor_id)
  on casesheet.rules to rounds_server;
grant update (state, reading_type, field, severity, terms, changed_by, doctor_id) on casesheet.rules to rounds_server;
grant insert, update, delete on casesheet.alerts to rounds_server;
grant insert (patient_uid, event_id, alert_id, rule_id, event, is_announced, severity, reading_type, why, note, by, doctor_id, point, review_id)
  on casesheet.alert_events to rounds_server;
grant usage on schema care to rounds_server;
grant select, insert, update, delete on all tables in schema care to rounds_server;

-- The followers that mark what changed. Nobody is in a list yet and there are no rules, so they begin with what comes from now on.
insert into casesheet.followers (name, generation, xid, id)
select name, generation, pg_snapshot_xmin(pg_current_snapshot()), '00000000-0000-0000-0000-000000000000'
from casesheet.feed
cross join unnest(array['care:list', 'alerts:rules']) as name;
