-- Databases that serve FHIR make this index by modules/fhir-0001-readings-by-update.sql; all others do without it.
drop index if exists casesheet.readings_by_update;
