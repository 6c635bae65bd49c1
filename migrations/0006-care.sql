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

-- What is looked for in readings, and reported: rules of an author for one patient or for all who share with the author. Nothing holds until
-- somebody sets it, and nobody's rule replaces another author's.
create table casesheet.rules (
  set_at timestamptz not null,
  -- When this version began: it looks at what was measured from 24 hours before on.
  version_at timestamptz not null,
  changed_xid xid8 not null,
  rule_id uuid primary key,
  -- Every change of what it looks at draws another one.
  version_id uuid not null,
  author_kind text not null check (author_kind in ('doctor', 'practice')),
  -- The doctor or the practice.
  author_id text collate "C" not null check (author_id <> ''),
  author_name text check (char_length(author_name) between 1 and 200),
  -- Null: for all who share with `manage`.
  patient_uid text collate "C" check (patient_uid <> ''),
  state text not null default 'set' check (state in ('set', 'removed')),
  reading_type text collate "C" not null check (reading_type <> ''),
  -- Null for missing and symptom, which look at no value.
  field text collate "C" check (field <> ''),
  severity text not null check (severity in ('urgent', 'warning')),
  -- Its condition, as the interface writes it: value, change, missing or symptom; with unit and clear.
  terms jsonb not null check (octet_length(terms::text) <= 500),
  label text check (char_length(label) between 1 and 100),
  set_by text not null
);
create unique index rules_once on casesheet.rules
  (author_kind, author_id, patient_uid, reading_type, field, severity, terms)
  nulls not distinct
  where state = 'set';
create index rules_of_patient on casesheet.rules (patient_uid, reading_type);
create index rules_of_author on casesheet.rules (author_kind, author_id, reading_type) where patient_uid is null;
create index rules_by_change on casesheet.rules (changed_xid, rule_id);

-- Every version of a rule, with what was done. Rows are only ever added; they go with the patient, when the patient is erased.
create table casesheet.rule_changes (
  at timestamptz not null,
  rule_id uuid not null,
  version_id uuid not null,
  author_kind text not null,
  author_id text collate "C" not null,
  author_name text,
  patient_uid text collate "C",
  action text not null check (action in ('set', 'remove')),
  reading_type text collate "C" not null,
  field text collate "C",
  severity text not null,
  terms jsonb not null,
  label text,
  by text not null,
  primary key (rule_id, at)
);
create index rule_changes_of_patient on casesheet.rule_changes (patient_uid, at, rule_id);
create index rule_changes_of_author on casesheet.rule_changes (author_kind, author_id, at, rule_id) where patient_uid is null;

-- When a rule held. They follow from the readings, the rules, the grants and the clock; at most one of a rule and patient is open.
create table casesheet.alerts (
  -- When the reading was measured by which it opened, or from when on one was missing; and what ended it. Null while it is open.
  since timestamptz not null,
  until timestamptz,
  -- When Rounds said so.
  opened_at timestamptz not null,
  ended_at timestamptz,
  acknowledged_at timestamptz,
  changed_xid xid8 not null,
  "limit" float8,
  -- How many times the limit the worst value is; null for missing and symptom.
  beyond float8,
  acknowledged_value float8,
  acknowledged_beyond float8,
  alert_id uuid not null,
  rule_id uuid not null,
  version_id uuid not null,
  since_id uuid not null,
  -- No reading that arrived within 24 hours holds it: nobody is told.
  is_late boolean not null,
  patient_uid text collate "C" not null check (patient_uid <> ''),
  author_kind text not null check (author_kind in ('doctor', 'practice')),
  author_id text collate "C" not null check (author_id <> ''),
  reading_type text collate "C" not null,
  field text collate "C",
  severity text not null check (severity in ('urgent', 'warning')),
  kind text not null check (kind in ('value', 'change', 'missing', 'symptom')),
  label text,
  unit text,
  ended_because text check (ended_because in ('values', 'symptomOver', 'ruleChanged', 'ruleRemoved', 'grantEnded', 'withdrawn')),
  -- {readingId, value, unit, measuredAt, receivedAt, symptom?, severity?, outOfRange?}; null for missing without a reading.
  worst jsonb,
  newest jsonb,
  -- One sentence.
  why text not null,
  acknowledged_by text,
  acknowledged_name text,
  acknowledged_doctor text collate "C",
  acknowledged_practice text collate "C",
  acknowledged_note text,
  primary key (patient_uid, alert_id),
  constraint alerts_in_order check (until >= since),
  constraint alerts_ended check (num_nulls(until, ended_at, ended_because) in (0, 3))
) with (fillfactor = 80);
create unique index alerts_open on casesheet.alerts (patient_uid, rule_id, reading_type) where ended_at is null;
-- What a rule left open, wherever it is changed.
create index alerts_open_of_rule on casesheet.alerts (rule_id) where ended_at is null;
create index alerts_by_time on casesheet.alerts (patient_uid, opened_at, alert_id);
create index alerts_ended_by_time on casesheet.alerts (patient_uid, reading_type, until) where ended_at is not null;
-- Whether alerts of a patient changed since a time: asked for each patient of a doctor whenever the list looks for news. Without it,
-- all alerts that these patients ever had are read.
create index alerts_of_patient_by_change on casesheet.alerts (patient_uid, changed_xid);

-- What became of an alert, by whom and why. Rows are only ever added; they go with the patient.
create table casesheet.alert_events (
  at timestamptz not null,
  measured_at timestamptz,
  received_at timestamptz,
  value float8,
  event_id uuid not null,
  alert_id uuid not null,
  rule_id uuid not null,
  -- The look that acknowledged it. If that is taken back, the alert was not acknowledged.
  review_id uuid,
  -- Whether other systems are told.
  is_announced boolean not null,
  patient_uid text collate "C" not null check (patient_uid <> ''),
  author_kind text not null,
  author_id text collate "C" not null,
  event text not null check (event in ('opened', 'reopened', 'acknowledged', 'ended')),
  severity text not null,
  label text,
  reading_type text collate "C" not null,
  field text collate "C",
  unit text,
  why text,
  ended_because text,
  note text check (char_length(note) between 1 and 1000),
  visible_to text check (visible_to in ('patient', 'doctors')),
  -- The subject; null where it was Rounds.
  by text,
  by_name text,
  doctor_id text collate "C",
  practice_id text collate "C",
  primary key (patient_uid, event_id),
  constraint alert_events_note check ((note is null) = (visible_to is null)),
  -- Who may read no more is told nothing of readings.
  constraint alert_events_without_grant check (
    ended_because is distinct from 'grantEnded' or num_nonnulls(value, unit, measured_at, received_at, why) = 0
  )
);
create index alert_events_by_time on casesheet.alert_events (patient_uid, at, event_id);
create index alert_events_by_alert on casesheet.alert_events (patient_uid, alert_id, at, event_id);

-- The serving role says what a rule is and who changes it. Its version, its times and its history the database writes. What changes nothing
-- keeps them, so the same rule may be set again.
create function casesheet.stamp_rule() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (new.state, new.reading_type, new.field, new.severity, new.terms, new.label)
    is not distinct from (old.state, old.reading_type, old.field, old.severity, old.terms, old.label) then
    return old;
  end if;
  new.set_at := clock_timestamp();
  new.changed_xid := pg_current_xact_id();
  if tg_op = 'INSERT' or (new.state, new.reading_type, new.field, new.terms)
    is distinct from (old.state, old.reading_type, old.field, old.terms) then
    new.version_id := gen_random_uuid();
    new.version_at := new.set_at;
  end if;
  return new;
end
$$;
revoke execute on function casesheet.stamp_rule from public;
create trigger stamp_rule
before insert or update of author_name, state, reading_type, field, severity, terms, label, set_by on casesheet.rules
for each row execute function casesheet.stamp_rule();

-- An author has at most 50 rules for a patient, and 50 for all. Those who add one wait for each other, so that two cannot both add the
-- fiftieth.
create function casesheet.limit_rules() returns trigger
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', new.author_kind, new.author_id, new.patient_uid), 25));
  if (
    select count(*)
    from casesheet.rules
    where author_kind = new.author_kind
      and author_id = new.author_id
      and patient_uid is not distinct from new.patient_uid
      and state = 'set'
  ) > 50 then
    raise exception sqlstate '22E04' using message = 'the author has 50 rules';
  end if;
  return null;
end
$$;
revoke execute on function casesheet.limit_rules from public;
create trigger limit_rules
after insert on casesheet.rules
for each row execute function casesheet.limit_rules();

create function casesheet.record_rule() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  if tg_op = 'INSERT' or new.set_at <> old.set_at then
    insert into casesheet.rule_changes
      (at, rule_id, version_id, author_kind, author_id, author_name, patient_uid, action, reading_type, field, severity, terms, label, by)
    values (
      new.set_at, new.rule_id, new.version_id, new.author_kind, new.author_id, new.author_name, new.patient_uid,
      case when new.state = 'set' then 'set' else 'remove' end,
      new.reading_type, new.field, new.severity, new.terms, new.label, new.set_by
    );
  end if;
  return null;
end
$$;
revoke execute on function casesheet.record_rule from public;
create trigger record_rule
after insert or update of author_name, state, reading_type, field, severity, terms, label, set_by on casesheet.rules
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

-- Of which patients and types something changed that a rule looks at: evaluation goes on at measured_from. What changes while it is under
-- way raises the mark.
create sequence care.mark_versions;
create table care.alert_marks (
  measured_from timestamptz not null,
  measured_to timestamptz not null,
  -- The earliest of what changed since it was written last, and how often something did.
  risen_from timestamptz not null default 'infinity',
  rises bigint not null default 0,
  -- Another one whenever evaluation has written: who began before that writes nothing.
  version bigint not null default nextval('care.mark_versions'),
  since timestamptz not null default now(),
  -- Not before: a process evaluates it, or the last attempt failed.
  free_at timestamptz not null default '-infinity',
  -- When the first of the spans began that are open at measured_from, and these spans, by rule.
  carried_from timestamptz,
  -- How many slices of readings were evaluated.
  slices integer not null default 0,
  -- Not by a reading: a rule for all, or everything again. Others go before it.
  is_bulk boolean not null default false,
  patient_uid text collate "C" not null,
  reading_type text collate "C" not null,
  carried jsonb,
  primary key (patient_uid, reading_type)
);
create index alert_marks_by_age on care.alert_marks (since);
-- Those with the fewest slices go first.
create index alert_marks_by_slices on care.alert_marks (slices, since);
create index alert_marks_not_begun on care.alert_marks (is_bulk, since) where slices = 0;

-- When the rules for a type look at the clock next. It may be too early, never too late.
create table care.alert_clocks (
  due_at timestamptz not null,
  patient_uid text collate "C" not null,
  reading_type text collate "C" not null,
  primary key (patient_uid, reading_type)
) with (fillfactor = 80);
create index alert_clocks_by_due on care.alert_clocks (due_at);

-- When the rules were last looked after, and when they were not: in that time readings could not arrive, so none were missing.
create table care.alert_watch (
  one boolean primary key default true check (one),
  watched_at timestamptz
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
grant insert (rule_id, author_kind, author_id, author_name, patient_uid, reading_type, field, severity, terms, label, set_by)
  on casesheet.rules to rounds_server;
grant update (state, reading_type, field, severity, terms, label, set_by) on casesheet.rules to rounds_server;
grant insert, update on casesheet.alerts to rounds_server;
grant insert (
    measured_at, received_at, value, event_id, alert_id, rule_id, review_id, is_announced, patient_uid, author_kind, author_id, event,
    severity, label, reading_type, field, unit, why, ended_because, note, visible_to, by, by_name, doctor_id, practice_id
  ) on casesheet.alert_events to rounds_server;
grant usage on schema care to rounds_server;
grant select, insert, update, delete on all tables in schema care to rounds_server;
grant usage on sequence care.mark_versions to rounds_server;

-- The followers that mark what changed. Nobody is in a list yet and there are no rules, so they begin with what comes from now on.
insert into casesheet.followers (name, generation, xid, id, done)
select name, generation, '0', '00000000-0000-0000-0000-000000000000', pg_current_snapshot()
from casesheet.feed
cross join unnest(array['care:list', 'alerts:rules']) as name;
