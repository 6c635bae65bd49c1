-- A refusal under a key that a server does not have no longer stops the adds of everybody: the server cannot tell whose adds
-- are refused, so it stores them, and reports that it lacks the key (/readyz, metrics, log). Servers of earlier builds call
-- casesheet.refuse_erased_patients, which stays for them.
--
-- Called by every add while somebody is refused, within its statement, before anything is stored. The errors:
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
grant execute on function casesheet.refuse_erased to rounds_server;
