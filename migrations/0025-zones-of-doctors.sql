-- In which time zones a doctor has asked for their list on a day. All that is derived for a patient is kept once for each zone, so the zones
-- of a doctor are bounded.
create table care.doctors (
  doctor_id text collate "C" primary key check (doctor_id <> ''),
  asked_on date not null,
  time_zones text[] not null
) with (fillfactor = 70);
create index doctors_by_age on care.doctors (asked_on);

-- As with the other tables of this schema: the planner needs no statistics.
alter table care.doctors
  alter column doctor_id set statistics 0,
  alter column asked_on set statistics 0,
  alter column time_zones set statistics 0;

grant select, insert, update, delete on care.doctors to rounds_server;
