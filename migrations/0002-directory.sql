-- The doctor directory: small, read-mostly, filled by `rounds directory import` as the owner. Size to carry: 1,000,000
-- doctors, 1,000 specialities. Keys for searching and ordering are made by the importer (lower case, accents removed)
-- and kept under collation "C", so that pages have the same order on every machine.
create extension if not exists pg_trgm;

create schema appointments;

create table appointments.specialities (
  speciality_id text collate "C" primary key check (speciality_id <> ''),
  -- Deferrable, here and below, means that it is checked at the end of a statement: an import may swap two titles.
  title text collate "C" not null unique deferrable check (title <> ''),
  is_active boolean not null default true,
  created timestamptz not null default now()
);

create table appointments.doctors (
  doctor_id text collate "C" primary key check (doctor_id <> ''),
  name text not null check (name <> ''),
  name_key text collate "C" not null,
  gender text,
  qualifications text[] not null default '{}',
  registration_number text collate "C" unique deferrable,
  languages text[] not null default '{}',
  -- Each language in lower case with every shorter form of it (en-in: en, en-in), so that `en` finds `en-IN`.
  language_keys text[] not null default '{}',
  experience_years integer check (experience_years >= 0),
  city text,
  city_key text collate "C",
  photo_url text,
  is_active boolean not null default true,
  created timestamptz not null default now()
);

-- Pages in order of name, the same within a city, and any part of a name.
create unique index doctors_by_name on appointments.doctors (name_key, doctor_id);
create index doctors_by_city on appointments.doctors (city_key, name_key, doctor_id) where city_key is not null;
create index doctors_by_part_of_name on appointments.doctors using gin (name_key gin_trgm_ops);
create index doctors_by_language on appointments.doctors using gin (language_keys);

-- name_key is repeated here so that the doctors of one speciality are one range of one index, already in order.
create table appointments.doctor_specialities (
  speciality_id text collate "C" not null references appointments.specialities,
  name_key text collate "C" not null,
  doctor_id text collate "C" not null references appointments.doctors on delete cascade,
  position smallint not null,
  primary key (speciality_id, name_key, doctor_id)
);
create index doctor_specialities_by_doctor on appointments.doctor_specialities (doctor_id);

-- The version of the directory: a new one with every transaction that changes it, announced at its commit. Servers keep pages of
-- one version in memory. It is no number: after a restore from a backup a number would come again for other contents.
create table appointments.directory (
  is_only boolean primary key default true check (is_only),
  version uuid not null default gen_random_uuid()
);
insert into appointments.directory default values;

-- Each doctor as doctors/list prints it, so that a page is read and not composed: four fifths of the work of one that is not
-- cached. A doctor may be missing here, and is then composed; one that is here is never out of date: what changes a doctor
-- removes it in the same transaction. An import adds those that are missing, by list_doctors(). A migration that changes the
-- view, or a column that it reads, must empty this table: no trigger fires for it.
create table appointments.listed_doctors (
  doctor_id text collate "C" primary key,
  listed text not null
);

create view appointments.doctors_to_list as
select doctor_id, row_to_json(printed)::text as listed
from appointments.doctors as doctor
cross join lateral (
  select
    doctor.doctor_id as "doctorId",
    doctor.name,
    doctor.gender,
    array(
      select row_to_json(named)
      from (
        select speciality.speciality_id as "specialityId", speciality.title
        from appointments.doctor_specialities as held
        join appointments.specialities as speciality using (speciality_id)
        where held.doctor_id = doctor.doctor_id
        order by held.position
      ) as named
    ) as specialities,
    doctor.qualifications,
    doctor.registration_number as "registrationNumber",
    doctor.languages,
    doctor.experience_years as "experienceYears",
    doctor.city,
    doctor.photo_url as "photoUrl",
    doctor.is_active as "isActive",
    to_char(doctor.created at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created
) as printed;

-- Lists the doctors between two ids, so that an import lists a million of them in short transactions. Null is no bound.
-- The lock waits for transactions that are changing doctors, and a snapshot taken before it could show what they have changed
-- since. A transaction whose snapshot is older than this one would not find the doctors added here, and so not remove them: it
-- fails on the new row of the directory, with serialization_failure.
create function appointments.list_doctors(after_id text default null, up_to_id text default null) returns void
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
revoke execute on function appointments.list_doctors from public;

-- Servers keep the list of specialities in memory and listen for this to read it again.
create function appointments.tell_specialities_changed() returns trigger
language plpgsql as $$
begin
  perform pg_notify('appointments_specialities', '');
  return null;
end
$$;

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

-- For triggers: fails where doctors may have been listed since the snapshot of the transaction.
create function appointments.must_see_listed_doctors() returns void
language plpgsql set search_path = pg_catalog as $$
begin
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    update appointments.directory set version = version;
  end if;
end
$$;
revoke execute on function appointments.must_see_listed_doctors from public;

-- With the rights of the owner: a role that an operator lets write doctors needs none on this table. Transition tables are
-- named alike for every event that has them: `changed`, and `replacing` for the new rows of an update. The size says that the
-- table was never filled without reading the rows that were deleted since the last vacuum.
create function appointments.unlist_doctors() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform appointments.must_see_listed_doctors();
  if tg_op = 'TRUNCATE' then
    delete from appointments.listed_doctors;
  elsif pg_relation_size('appointments.listed_doctors') = 0 then
    return null;
  elsif tg_op = 'UPDATE' then
    delete from appointments.listed_doctors
    where doctor_id in (select doctor_id from changed union all select doctor_id from replacing);
  else
    delete from appointments.listed_doctors
    where doctor_id in (select doctor_id from changed);
  end if;
  return null;
end
$$;
revoke execute on function appointments.unlist_doctors from public;

create function appointments.unlist_doctors_of_specialities() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform appointments.must_see_listed_doctors();
  delete from appointments.listed_doctors
  where doctor_id in (
    select held.doctor_id
    from appointments.doctor_specialities as held
    where held.speciality_id in (
      select changed.speciality_id
      from changed
      where not exists (
        select
        from replacing
        where (replacing.speciality_id, replacing.title) = (changed.speciality_id, changed.title)
      )
    )
  );
  return null;
end
$$;
revoke execute on function appointments.unlist_doctors_of_specialities from public;

-- What logical replication applies fires triggers of rows only, and only those that are enabled for it.
create function appointments.unlist_replicated_doctor() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  delete from appointments.listed_doctors
  where doctor_id in (old.doctor_id, new.doctor_id);
  return null;
end
$$;
revoke execute on function appointments.unlist_replicated_doctor from public;

create function appointments.unlist_doctors_of_replicated_speciality() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  delete from appointments.listed_doctors
  where doctor_id in (
    select held.doctor_id
    from appointments.doctor_specialities as held
    where held.speciality_id = old.speciality_id
  );
  return null;
end
$$;
revoke execute on function appointments.unlist_doctors_of_replicated_speciality from public;

-- A doctor who is new is not listed yet, and a speciality that is new or deleted has no doctors.
create trigger tell_specialities_changed
after insert or update or delete or truncate on appointments.specialities
for each statement execute function appointments.tell_specialities_changed();
create trigger renew_directory_version
after insert or update or delete or truncate on appointments.specialities
for each statement execute function appointments.renew_directory_version();
create trigger unlist_updated after update on appointments.specialities
referencing old table as changed new table as replacing
for each statement execute function appointments.unlist_doctors_of_specialities();
create trigger unlist_replicated after update on appointments.specialities
for each row execute function appointments.unlist_doctors_of_replicated_speciality();

create trigger renew_directory_version
after insert or update or delete or truncate on appointments.doctors
for each statement execute function appointments.renew_directory_version();
create trigger unlist_updated after update on appointments.doctors
referencing old table as changed new table as replacing
for each statement execute function appointments.unlist_doctors();
create trigger unlist_deleted after delete on appointments.doctors
referencing old table as changed
for each statement execute function appointments.unlist_doctors();
create trigger unlist_all after truncate on appointments.doctors
for each statement execute function appointments.unlist_doctors();
create trigger unlist_replicated after update or delete on appointments.doctors
for each row execute function appointments.unlist_replicated_doctor();

create trigger renew_directory_version
after insert or update or delete or truncate on appointments.doctor_specialities
for each statement execute function appointments.renew_directory_version();
create trigger unlist_inserted after insert on appointments.doctor_specialities
referencing new table as changed
for each statement execute function appointments.unlist_doctors();
create trigger unlist_updated after update on appointments.doctor_specialities
referencing old table as changed new table as replacing
for each statement execute function appointments.unlist_doctors();
create trigger unlist_deleted after delete on appointments.doctor_specialities
referencing old table as changed
for each statement execute function appointments.unlist_doctors();
create trigger unlist_all after truncate on appointments.doctor_specialities
for each statement execute function appointments.unlist_doctors();
create trigger unlist_replicated after insert or update or delete on appointments.doctor_specialities
for each row execute function appointments.unlist_replicated_doctor();

-- Also for a session that fires no triggers (session_replication_role), as tools that copy tables set it.
alter table appointments.specialities
  enable always trigger unlist_updated,
  enable replica trigger unlist_replicated;
alter table appointments.doctors
  enable always trigger unlist_updated,
  enable always trigger unlist_deleted,
  enable always trigger unlist_all,
  enable replica trigger unlist_replicated;
alter table appointments.doctor_specialities
  enable always trigger unlist_inserted,
  enable always trigger unlist_updated,
  enable always trigger unlist_deleted,
  enable always trigger unlist_all,
  enable replica trigger unlist_replicated;

grant usage on schema appointments to rounds_server;
grant select on all tables in schema appointments to rounds_server;
