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
create index alerts_by_change on casesheet.alerts (changed_xid, alert_id);

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

-- Replicated to another cluster, a row keeps its version and time and gets its place in the sequence of changes there.
create trigger stamp_replicated before insert or update on casesheet.rules
for each row execute function casesheet.stamp_replicated();
alter table casesheet.rules enable replica trigger stamp_replicated;
create trigger stamp_replicated before insert or update on casesheet.alerts
for each row execute function casesheet.stamp_replicated();
alter table casesheet.alerts enable replica trigger stamp_replicated;
create trigger stamp_replicated before insert or update on casesheet.alert_events
for each row execute function casesheet.stamp_replicated();
alter table casesheet.alert_events enable replica trigger stamp_replicated;

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

-- Webhooks report what became of an alert, to endpoints that ask for it.
alter table webhooks.endpoints
  drop constraint endpoints_events_check,
  add constraint endpoints_events_check check (
    cardinality(events) > 0
    and events <@ '{readings.changed,patient.erased,grant.changed,alert.opened,alert.reopened,alert.acknowledged,alert.resolved,alert.retracted}'
  ) not valid;

-- Statistics of the planner would keep ids, values and notes after an erasure. Every statement goes by an index, and needs none.
do $$
begin
  execute (
    select string_agg(format('alter table %s alter column %I set statistics 0', attrelid::regclass, attname), ';')
    from pg_attribute
    where attrelid in (
        'casesheet.rules'::regclass, 'casesheet.rule_changes'::regclass, 'casesheet.alerts'::regclass,
        'casesheet.alert_events'::regclass, 'care.alert_marks'::regclass, 'care.rule_clocks'::regclass,
        'care.alert_looks'::regclass
      )
      and attnum > 0
  );
end
$$;

grant select on casesheet.rules, casesheet.rule_changes, casesheet.alerts, casesheet.alert_events to rounds_server;
grant insert (patient_uid, rule_id, reading_type, field, severity, terms, changed_by, doctor_id)
  on casesheet.rules to rounds_server;
grant update (state, reading_type, field, severity, terms, changed_by, doctor_id) on casesheet.rules to rounds_server;
grant insert, update, delete on casesheet.alerts to rounds_server;
grant insert (patient_uid, event_id, alert_id, rule_id, event, is_announced, severity, reading_type, why, note, by, doctor_id, point)
  on casesheet.alert_events to rounds_server;
grant select, insert, update, delete on care.alert_marks, care.rule_clocks, care.alert_watch, care.outages, care.alert_looks
  to rounds_server;

-- The follower that marks what changed. There are no rules yet, so it begins with what comes from now on.
insert into casesheet.followers (name, generation, xid, id)
select 'alerts:rules', generation, pg_snapshot_xmin(pg_current_snapshot()), '00000000-0000-0000-0000-000000000000'
from casesheet.feed;
