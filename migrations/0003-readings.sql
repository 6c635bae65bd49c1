-- Readings, their corrections and the log of who read them. The serving role inserts and selects, and withdraws readings; what
-- it stored it neither changes nor deletes. patient_uid leads every key and names the partition, so each operation touches one
-- partition by one index descent whatever the history. The partitions are made last.
create schema casesheet;

-- Here and below, columns of eight bytes come first, so that none is padded.
create table casesheet.readings (
  measured_at timestamptz not null,
  -- The very number that was sent, in seconds or milliseconds; measured_at is the instant that it means.
  sent_timestamp float8 not null,
  received_at timestamptz not null default now(),
  -- The transaction that changed the reading last: its place in the sequence of changes.
  changed_xid xid8 not null default pg_current_xact_id(),
  -- SHA-256 of the reading's content as a UUID: sending a reading again meets its own key, which is the whole of
  -- duplicate safety.
  reading_id uuid not null,
  -- How large the answer with it becomes, without reading it.
  details_bytes integer not null generated always as (octet_length(details::text)) stored,
  patient_uid text collate "C" not null check (patient_uid <> ''),
  reading_type text collate "C" not null check (reading_type <> ''),
  -- The reading's other fields. json, not jsonb: the text is kept as it came and spliced into answers unparsed.
  details json not null,
  -- The subject of the token; null where that is the patient's own id.
  added_by text,
  -- When it was withdrawn or restored last; null for one that never was.
  changed_at timestamptz,
  -- While it is withdrawn (entered in error): since when, by whom, and why.
  withdrawn_at timestamptz,
  withdrawn_by text,
  -- Why the one who withdrew it was allowed to: a patient restores only what a patient or carer has withdrawn.
  withdrawn_as text,
  withdrawn_reason text,
  primary key (patient_uid, measured_at, reading_id)
) partition by hash (patient_uid);

-- A patient's readings of one type in order of time, whatever else was measured meanwhile: for the newest of each type,
-- for statistics, and for ranges of some types. The first bytes of the id tell the readings of one instant apart: without them a page would
-- read all of its first instant, and 100,000 of them take 300 ms. The whole id would make the index a tenth larger, and the WAL of an
-- add a fifth.
create index readings_by_type on casesheet.readings
  (patient_uid, reading_type, measured_at, substr(uuid_send(reading_id), 1, 3));
-- Those with impossible times, and those that arrived two weeks late or later: what is made for the lists of doctors finds them by their
-- arrival. Few readings are in either.
create index readings_strange on casesheet.readings (patient_uid, reading_type, received_at)
  where measured_at - received_at > interval '24 hours' or measured_at < '2000-01-01Z';
create index readings_late on casesheet.readings (patient_uid, reading_type, received_at)
  where measured_at - received_at < interval '-14 days';
-- The sequence of changes. Without reading_id it would be a fifth as large, and each page would read all changes of its first
-- transaction: of 100,000 they took 270 ms, instead of 20.
create index readings_by_change on casesheet.readings (changed_xid, reading_id);

-- Every withdrawal and every restoration of a reading leaves a row: what was done, by whom, why they were allowed to, why and
-- when. Rows are only ever added; they go with the patient, when the patient is erased.
create table casesheet.corrections (
  measured_at timestamptz not null,
  -- When the row was written, by which time the reading is locked: corrections of one reading are in the order of their times.
  at timestamptz not null default clock_timestamp(),
  reading_id uuid not null,
  -- Made by the server for each request: a statement that is sent again after a lost connection meets its own row.
  correction_id uuid not null,
  patient_uid text collate "C" not null check (patient_uid <> ''),
  action text not null check (action in ('withdraw', 'restore')),
  corrected_by text not null,
  -- patient: the token names the patient, as that of a carer does. staff: the token has the scope for withdrawing.
  allowed_as text not null check (allowed_as in ('patient', 'staff')),
  reason text,
  primary key (patient_uid, correction_id)
) partition by hash (patient_uid);
create index corrections_by_reading on casesheet.corrections (patient_uid, measured_at, reading_id, at);
create index corrections_by_time on casesheet.corrections (patient_uid, at, correction_id);

create table casesheet.access_log (
  at timestamptz not null default now(),
  range_from timestamptz not null,
  range_to timestamptz not null,
  -- 0 before the first byte of an answer, then one row for each further page of a streamed range.
  page integer not null,
  readings_count integer not null,
  patient_uid text collate "C" not null check (patient_uid <> ''),
  request_id text not null,
  read_by text not null,
  -- Why it was allowed. patient: the token names the patient. staff and service: it has the scope. grant: the patient shares with the
  -- doctor. operator: a command of the owner.
  allowed_as text not null check (allowed_as in ('patient', 'staff', 'grant', 'operator', 'service')),
  operation text not null,
  reading_types text[],
  -- Which correction the request has made; null where it read, or changed nothing.
  correction_id uuid,
  -- Under which doctor's grant somebody read, and the reason that staff gave.
  doctor_id text collate "C",
  reason text
) partition by hash (patient_uid);
-- No unique key: a request that had to be repeated after a lost answer was perhaps seen twice, and both rows are true.
create index access_log_by_patient on casesheet.access_log (patient_uid, at);

-- Later pages of a streamed range are logged under the time of its first page, so the role must be able to insert `at`. A
-- policy says which: now, or, for a later page, the time of the first page of that very request. The owner is not bound by it.
-- The search is a function in plpgsql, which is planned by itself: as a part of the policy it would stand, with every
-- partition, in the plan of each statement that logs a read.
create function casesheet.has_first_page(patient text, began_at timestamptz, request text) returns boolean
language plpgsql stable as $$
begin
  return exists (
    select
    from casesheet.access_log
    where patient_uid = patient
      and at = began_at
      and request_id = request
      and page = 0
  );
end
$$;
revoke execute on function casesheet.has_first_page from public;

-- Whoever else was granted something on the table keeps it: the first policy allows all that grants allow.
create policy as_granted on casesheet.access_log using (true) with check (true);
create policy server_cannot_set_at on casesheet.access_log as restrictive for insert to rounds_server with check (
  case when page = 0 then at = now() else casesheet.has_first_page(patient_uid, at, request_id) end
);
alter table casesheet.access_log enable row level security;

-- What was erased, or trimmed from the access log: when, by whom, how much. For those who have to show that it was done.
-- The serving role sees and changes nothing of it.
create table casesheet.erasures (
  erasure_id uuid primary key default gen_random_uuid(),
  at timestamptz not null default now(),
  erased_by text not null check (erased_by <> ''),
  -- An HMAC of the patient's id, whose key the database never sees: who has the key and the id finds the erasure, and nobody can
  -- try out ids here.
  patient_digest bytea not null,
  key_id bytea not null,
  readings_count bigint not null,
  -- Reads with a token that names the patient, which were deleted, and those of others, which were kept without the patient.
  own_accesses_count bigint not null,
  other_accesses_count bigint not null
);

create table casesheet.access_log_trims (
  trim_id uuid primary key default gen_random_uuid(),
  at timestamptz not null default now(),
  trimmed_by text not null check (trimmed_by <> ''),
  accesses_before timestamptz not null,
  accesses_count bigint not null
);

-- Patients who were erased and whose readings are refused until a stated time, so that a device that still holds them cannot
-- add them again. Only digests are kept, as in erasures.
create table casesheet.refused_patients (
  -- Which key made the digest: a server that holds another one must not take the patient for a stranger.
  key_id bytea not null,
  patient_digest bytea not null,
  refused_until timestamptz not null,
  primary key (key_id, patient_digest)
);
create index refused_patients_by_time on casesheet.refused_patients (refused_until);

-- Called by every add while somebody is refused, within its statement, before anything is stored. A refusal under a key that the
-- server does not have cannot be recognised: the server stores the readings, and reports that it lacks the key. The errors:
-- 58E01  someone is refused under the server's key, and it sent no digests: it did not know that they are needed
-- 22E01  one of these patients is refused; the detail says which digest
create function casesheet.refuse_erased(server_key_id bytea, patient_digests bytea[]) returns void
language plpgsql stable as $$
declare
  refused bytea;
begin
  if patient_digests is null then
    if exists (select from casesheet.refused_patients where key_id = server_key_id and refused_until > now()) then
      raise exception sqlstate '58E01' using message = 'patients are refused, and the server sent no digests';
    end if;
    return;
  end if;
  select patient_digest
  into refused
  from casesheet.refused_patients
  where key_id = server_key_id
    and patient_digest = any (patient_digests)
    and refused_until > now()
  order by patient_digest
  limit 1;
  if found then
    raise exception sqlstate '22E01' using message = 'the patient is refused', detail = encode(refused, 'hex');
  end if;
end
$$;
revoke execute on function casesheet.refuse_erased from public;

-- Whether the partition of the patient is attached here. PostgreSQL refuses a row without a partition by itself: this is for statements
-- that found nothing of the patient to change. The log is detached first, and all are attached together.
create function casesheet.is_served_here(patient text) returns boolean
language plpgsql stable as $$
declare
  attached oid[] := array(
    select inhrelid
    from pg_inherits
    where inhparent = 'casesheet.access_log'::regclass
      and not inhdetachpending
  );
  modulus integer := (
    select substring(pg_get_expr(relpartbound, oid), 'modulus (\d+)')
    from pg_class
    where oid = attached[1]
  );
begin
  -- All of them, wherever there is one cluster: to look at each takes most of a millisecond.
  return cardinality(attached) = modulus or exists (
    select
    from unnest(attached) as partition
    join pg_class on pg_class.oid = partition
    cross join substring(pg_get_expr(relpartbound, partition), 'remainder (\d+)') as remainder
    where satisfies_hash_partition('casesheet.access_log'::regclass, modulus, remainder::integer, patient)
  );
end
$$;
revoke execute on function casesheet.is_served_here from public;

-- When a reading was received, when a correction or a read happened, and the place in the sequence of changes, the database says.
grant usage on schema casesheet to rounds_server;
grant select on casesheet.readings, casesheet.corrections, casesheet.access_log, casesheet.refused_patients to rounds_server;
grant insert (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
  on casesheet.readings to rounds_server;
grant update (withdrawn_by, withdrawn_as, withdrawn_reason) on casesheet.readings to rounds_server;
grant insert (patient_uid, correction_id, measured_at, reading_id, action, corrected_by, allowed_as, reason)
  on casesheet.corrections to rounds_server;
grant insert on casesheet.access_log to rounds_server;
grant execute on function casesheet.has_first_page, casesheet.refuse_erased, casesheet.is_served_here to rounds_server;

-- no transaction
-- The partitions, as many as the first `rounds migrate --partitions` said: the runner sets rounds.partitions. Each is made by itself,
-- because a thousand in one transaction take more locks than PostgreSQL has room for by default.
select format(
  'create table if not exists casesheet.%1$s_%2$s partition of casesheet.%1$s for values with (modulus %3$s, remainder %2$s)',
  parent,
  remainder,
  modulus)
from (select current_setting('rounds.partitions')::integer as modulus) as chosen
cross join generate_series(0, modulus - 1) as remainder
cross join unnest(array['readings', 'corrections', 'access_log']) as parent
\gexec
