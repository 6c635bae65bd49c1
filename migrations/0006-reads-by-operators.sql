-- no transaction
-- An operator who exports a patient's data reads it, and stands in the access log like any other reader. The new rule is
-- checked against the rows that are there while others write.
alter table casesheet.access_log drop constraint if exists access_log_allowed_as;
alter table casesheet.access_log add constraint access_log_allowed_as
  check (allowed_as in ('patient', 'staff', 'operator')) not valid;
alter table casesheet.access_log validate constraint access_log_allowed_as;
alter table casesheet.access_log drop constraint if exists access_log_allowed_as_check;
