-- What was erased, or trimmed from the access log: when, by whom, how much. For those who have to show that it was done.
-- The serving role sees and changes nothing of it.
create table casesheet.erasures (
  erasure_id uuid primary key default gen_random_uuid(),
  at timestamptz not null default now(),
  erased_by text not null check (erased_by <> ''),
  -- SHA-256 of the erasure's id and the patient's: who knows the patient's id finds the erasure, and nobody can read the
  -- id here, or see that two erasures are of one patient.
  patient_digest bytea not null,
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
