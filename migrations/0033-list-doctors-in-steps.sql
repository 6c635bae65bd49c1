-- list_doctors() of some doctors only, by their ids, so that an import lists a million of them in short transactions. Null is no bound.
create function appointments.list_doctors(after_id text, up_to_id text) returns void
language plpgsql set search_path = pg_catalog as $$
begin
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    raise exception 'list_doctors() needs a transaction that is read committed.' using errcode = '25001';
  end if;
  lock table appointments.specialities, appointments.doctors, appointments.doctor_specialities
  in share row exclusive mode;
  update appointments.directory set version = version;
  insert into appointments.listed_doctors (doctor_id, listed)
  select doctor_id, listed
  from appointments.doctors_to_list as doctor
  where doctor_id > coalesce(after_id, '')
    and (up_to_id is null or doctor_id <= up_to_id)
    and not exists (
      select
      from appointments.listed_doctors as present
      where present.doctor_id = doctor.doctor_id
    );
end
$$;
revoke execute on function appointments.list_doctors(text, text) from public;
