-- no transaction
-- A doctor reads by the grant of a patient. The new rule is checked against the rows that are there while others write.
alter table casesheet.access_log drop constraint if exists access_log_allowed_as_or_grant;
alter table casesheet.access_log add constraint access_log_allowed_as_or_grant
  check (allowed_as in ('patient', 'staff', 'grant', 'operator', 'service')) not valid;
alter table casesheet.access_log validate constraint access_log_allowed_as_or_grant;
alter table casesheet.access_log drop constraint if exists access_log_allowed_as_any;
