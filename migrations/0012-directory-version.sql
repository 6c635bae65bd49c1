-- The version of the directory: a new one with every transaction that changes it, announced at its commit. Servers keep pages of
-- one version in memory. It is no number: after a restore from a backup a number would come again for other contents.
create table appointments.directory (
  is_only boolean primary key default true check (is_only),
  version uuid not null default gen_random_uuid()
);
insert into appointments.directory default values;
grant select on appointments.directory to rounds_server;

-- With the rights of the owner: a role that an operator lets write doctors needs none on the version.
create function appointments.renew_directory_version() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  update appointments.directory set version = gen_random_uuid();
  perform pg_notify('appointments_directory', '');
  return null;
end
$$;
revoke execute on function appointments.renew_directory_version from public;

-- In the order in which an import locks the tables: in another one, this and an import could wait for each other.
create trigger renew_directory_version
after insert or update or delete or truncate on appointments.specialities
for each statement execute function appointments.renew_directory_version();
create trigger renew_directory_version
after insert or update or delete or truncate on appointments.doctors
for each statement execute function appointments.renew_directory_version();
create trigger renew_directory_version
after insert or update or delete or truncate on appointments.doctor_specialities
for each statement execute function appointments.renew_directory_version();
