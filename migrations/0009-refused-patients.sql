-- Patients who were erased and whose readings are refused until a stated time, so that a device that still holds them cannot
-- add them again. Only digests are kept: an HMAC of the patient's id whose key the database never sees.
create table casesheet.refused_patients (
  -- Which key made the digest: a server that holds another one must not take the patient for a stranger.
  key_id bytea not null,
  patient_digest bytea not null,
  refused_until timestamptz not null,
  primary key (key_id, patient_digest)
);
create index refused_patients_by_time on casesheet.refused_patients (refused_until);

-- Called by every add, within its statement, before anything is stored. The errors:
-- 58E01  someone is refused, and the server sent no digests: it has no key, or did not know that it is needed
-- 58E02  someone is refused under another key than the server's
-- 22E01  one of these patients is refused; the detail says which digest
create function casesheet.refuse_erased_patients(server_key_id bytea, patient_digests bytea[]) returns void
language plpgsql stable as $$
declare
  refused bytea;
begin
  if not exists (select from casesheet.refused_patients where refused_until > now()) then
    return;
  end if;
  if server_key_id is null then
    raise exception sqlstate '58E01' using message = 'patients are refused, and the server sent no digests';
  end if;
  -- Two ranges of the primary key, so that those under the server's own key are not read.
  if exists (select from casesheet.refused_patients where key_id < server_key_id and refused_until > now())
    or exists (select from casesheet.refused_patients where key_id > server_key_id and refused_until > now())
  then
    raise exception sqlstate '58E02' using message = 'patients are refused under another key';
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

revoke execute on function casesheet.refuse_erased_patients from public;
grant execute on function casesheet.refuse_erased_patients to rounds_server;
grant select on casesheet.refused_patients to rounds_server;

-- Which rule made patient_digest. Records from before are `salted`: SHA-256 of the erasure's id and the patient's, which who
-- reads the table can try for ids that they guess. New ones are `hmac`, with the key of key_id.
alter table casesheet.erasures
  add column digest_kind text not null default 'salted',
  add column key_id bytea;
