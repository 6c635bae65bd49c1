-- Webhooks: other systems that are called with every change. Each endpoint is a follower named "webhook:ENDPOINT_ID".
create schema webhooks;

create table webhooks.endpoints (
  endpoint_id uuid primary key default gen_random_uuid(),
  -- One endpoint per address, so that a repeated request adds no second one.
  url text collate "C" not null unique check (char_length(url) between 1 and 2000),
  description text check (char_length(description) between 1 and 200),
  -- Which changes it gets. Null is all; an empty list of patients, which is left when they are erased, is none.
  events text[] not null check (
    cardinality(events) > 0
    and events <@ '{readings.changed,patient.erased,grant.changed,alert.opened,alert.reopened,alert.acknowledged,alert.ended}'
  ),
  reading_types text[] check (cardinality(reading_types) between 1 and 50),
  patient_uids text[] check (cardinality(patient_uids) <= 1000),
  is_thin boolean not null default false,
  state text not null default 'active' check (state in ('active', 'paused')),
  paused_because text check (paused_because in ('asked', 'gone')),
  -- Encrypted under WEBHOOK_KEY, which is not in the database. key_id tells which key that was.
  secret bytea not null,
  key_id text not null,
  previous_secret bytea,
  previous_key_id text,
  previous_until timestamptz,
  replays integer not null default 0,
  -- The last change of the page that is being delivered, if one is. A repeated attempt ends there too.
  page_xid xid8,
  page_id uuid,
  -- Attempts that failed since the last one that did not.
  failures integer not null default 0,
  failing_since timestamptz,
  -- Whether the last attempt succeeded; false until the first one did. It says which endpoints may hold up the others, also after a
  -- restart: failures begins anew when somebody resumes or replays an endpoint.
  has_succeeded boolean not null default false,
  -- The message of the last attempt that failed. A page is skipped by the id of its message, so that a repeated request skips no
  -- other one.
  failed_message_id text,
  next_attempt_at timestamptz not null default '-infinity',
  added_by text not null,
  added_at timestamptz not null default now(),
  constraint endpoints_paused check ((state = 'paused') = (paused_because is not null)),
  constraint endpoints_page check ((page_xid is null) = (page_id is null)),
  constraint endpoints_previous check (num_nulls(previous_secret, previous_key_id, previous_until) in (0, 3))
) with (fillfactor = 50);

-- 22E03: there are 1,000, or they name 100,000 patients, whom the processes that deliver hold in memory. Those that add at the same
-- time count one after the other. It comes after the insert, so that an add that meets its own row is never one too many.
create function webhooks.limit_endpoints() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('webhooks.endpoints', 23));
  if (select count(*) > 1000 or sum(cardinality(patient_uids)) > 100000 from webhooks.endpoints) then
    raise exception sqlstate '22E03' using message = 'there are 1,000 endpoints, or they name 100,000 patients';
  end if;
  return null;
end
$$;
revoke execute on function webhooks.limit_endpoints from public;
create trigger limit_endpoints
after insert on webhooks.endpoints
for each row execute function webhooks.limit_endpoints();

-- What became of the attempts of one minute. One row for each endpoint, minute and outcome: the table does not grow with the rate.
create table webhooks.attempts (
  endpoint_id uuid not null references webhooks.endpoints on delete cascade,
  -- The minute.
  at timestamptz not null,
  event text not null,
  -- The HTTP status, or 0 where there was no answer.
  status integer not null,
  -- Why it failed, in one word; empty where it did not.
  error text not null,
  attempts integer not null default 1,
  changes bigint not null,
  bytes bigint not null,
  longest_ms integer not null,
  last_message_id text not null,
  -- A page that somebody skipped, because its receiver never accepts it, has an entry of its own: by whom, behind which position of
  -- the sequence of changes, and up to which.
  skipped_by text,
  skipped_after text,
  skipped_up_to text,
  primary key (endpoint_id, at, event, status, error),
  constraint attempts_skipped check (
    num_nulls(skipped_by, skipped_after, skipped_up_to) = case when error = 'skipped' then 0 else 3 end
  )
) with (fillfactor = 50);
create index attempts_by_time on webhooks.attempts (at);

-- Which endpoint is told of which event of an alert, and what became of that. A row is written in the transaction of the event, so nothing
-- is passed over and no other transaction delays it. It stays with the alert.
create table casesheet.alert_deliveries (
  -- The order in which they are sent.
  delivery_id bigint not null generated always as identity,
  patient_uid text collate "C" not null,
  alert_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  event text not null,
  -- Of an urgent alert: it goes before others, and the events of one alert stay in order.
  is_urgent boolean not null default false,
  -- How the endpoint was called then; it may have been removed since.
  name text not null,
  -- failed: the last attempt did.
  state text not null default 'waiting' check (state in ('waiting', 'accepted', 'failed')),
  at timestamptz not null default now(),
  -- Whether it is tried, or tried again. One that was skipped, or whose endpoint was removed, is not.
  is_pending boolean not null default true,
  -- The message of the last attempt.
  message_id text,
  primary key (patient_uid, alert_id, event_id, endpoint_id),
  constraint alert_deliveries_pending check (not (is_pending and state = 'accepted'))
) with (fillfactor = 80);
create index alert_deliveries_pending on casesheet.alert_deliveries (endpoint_id, is_urgent desc, delivery_id) where is_pending;
-- For a replay.
create index alert_deliveries_by_endpoint on casesheet.alert_deliveries (endpoint_id, at);

-- Events that logical replication brings were told where they came from: the trigger does not fire for them.
create function webhooks.tell_of_alerts() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into casesheet.alert_deliveries (patient_uid, alert_id, event_id, endpoint_id, event, is_urgent, name)
  select added.patient_uid, added.alert_id, added.event_id, endpoints.endpoint_id, added.event, added.severity = 'urgent',
    coalesce(endpoints.description, substring(endpoints.url from '//([^/?]+)'))
  from added
  join webhooks.endpoints on 'alert.' || added.event = any (endpoints.events)
    and (endpoints.reading_types is null or added.reading_type = any (endpoints.reading_types))
    and (endpoints.patient_uids is null or added.patient_uid = any (endpoints.patient_uids))
  where added.is_announced
  order by array_position('{urgent,warning}'::text[], added.severity),
    array_position('{opened,reopened,acknowledged,ended}'::text[], added.event), added.event_id, endpoints.endpoint_id;
  return null;
end
$$;
revoke execute on function webhooks.tell_of_alerts from public;
create trigger tell_of_alerts
after insert on casesheet.alert_events
referencing new table as added
for each statement execute function webhooks.tell_of_alerts();

-- Statistics of the planner would keep ids of patients after an erasure.
alter table webhooks.endpoints alter column patient_uids set statistics 0;
alter table casesheet.alert_deliveries
  alter column patient_uid set statistics 0, alter column alert_id set statistics 0, alter column event_id set statistics 0;

-- Servers call this now and then. They may clear what is due, and nothing else of the table. An erasure is announced to the endpoints
-- that name the patient; when its announcement is over, they forget the id too.
create function casesheet.clear_erasure_notices() returns void
language sql security definer set search_path = pg_catalog as $$
  with cleared as (
    select erasure_id, patient_uid
    from casesheet.erasure_notices
    where announced_until <= now()
      and patient_uid is not null
    for update
  ), forgotten as (
    update webhooks.endpoints
    set patient_uids = array(select uid from unnest(patient_uids) as uid where uid not in (select patient_uid from cleared))
    where patient_uids && array(select patient_uid from cleared)
  )
  update casesheet.erasure_notices
  set patient_uid = null
  from cleared
  where erasure_notices.erasure_id = cleared.erasure_id;
$$;
revoke execute on function casesheet.clear_erasure_notices from public;

grant usage on schema webhooks to rounds_server;
grant select, insert, update, delete on webhooks.endpoints, webhooks.attempts to rounds_server;
grant select, update (state, at, is_pending, message_id) on casesheet.alert_deliveries to rounds_server;
grant execute on function casesheet.clear_erasure_notices to rounds_server;
