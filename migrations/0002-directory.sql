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

-- Servers keep the list of specialities in memory and listen for this to read it again.
create function appointments.tell_specialities_changed() returns trigger
language plpgsql as $$
begin
  perform pg_notify('appointments_specialities', '');
  return null;
end
$$;
create trigger tell_specialities_changed
after insert or update or delete or truncate on appointments.specialities
for each statement execute function appointments.tell_specialities_changed();

grant usage on schema appointments to rounds_server;
grant select on all tables in schema appointments to rounds_server;
