-- Readings and the log of who read them. Both are append-only: the serving role may select and insert, nothing else.
-- patient_uid leads every key and names the partition, so each operation touches one partition by one index descent
-- whatever the history, and the tables can be distributed by patient_uid as they stand.
create schema casesheet;

create table casesheet.readings (
  patient_uid text collate "C" not null check (patient_uid <> ''),
  measured_at timestamptz not null,
  -- SHA-256 of the reading's content as a UUID: sending a reading again meets its own key, which is the whole of
  -- duplicate safety.
  reading_id uuid not null,
  reading_type text collate "C" not null check (reading_type <> ''),
  -- The very number that was sent, in seconds or milliseconds; measured_at is the instant that it means.
  sent_timestamp float8 not null,
  -- The reading's other fields. json, not jsonb: the text is kept as it came and spliced into answers unparsed.
  details json not null,
  received_at timestamptz not null default now(),
  added_by text not null,
  primary key (patient_uid, measured_at, reading_id)
) partition by hash (patient_uid);

create table casesheet.access_log (
  patient_uid text collate "C" not null check (patient_uid <> ''),
  at timestamptz not null default now(),
  request_id text not null,
  -- 0 before the first byte of an answer, then one row for each further page of a streamed range.
  page integer not null,
  read_by text not null,
  -- Why it was allowed: the token names the patient, or has the staff scope.
  allowed_as text not null check (allowed_as in ('patient', 'staff')),
  operation text not null,
  range_from timestamptz not null,
  range_to timestamptz not null,
  reading_types text[],
  readings_count integer not null
) partition by hash (patient_uid);

-- No unique key: a request that had to be repeated after a lost answer was perhaps seen twice, and both rows are true.
create index access_log_by_patient on casesheet.access_log (patient_uid, at);

do $$
begin
  for remainder in 0..31 loop
    execute format(
      'create table casesheet.readings_%1$s partition of casesheet.readings for values with (modulus 32, remainder %1$s)',
      remainder);
    execute format(
      'create table casesheet.access_log_%1$s partition of casesheet.access_log for values with (modulus 32, remainder %1$s)',
      remainder);
  end loop;
end
$$;

grant usage on schema casesheet to rounds_server;
grant select, insert on casesheet.readings, casesheet.access_log to rounds_server;
