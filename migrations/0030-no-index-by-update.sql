-- Databases that serve FHIR make this index by modules/fhir.sql; all others do without it.
drop index casesheet.readings_by_update;
