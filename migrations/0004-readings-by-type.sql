-- A patient's readings of one type in order of time, whatever else was measured meanwhile: for the newest of each type,
-- for statistics, and for ranges of some types. reading_id makes the order the same total one as the primary key's.
-- Building it lets nobody write. On a database that is large and in use, build it beforehand: create the index on only
-- casesheet.readings, then concurrently on each partition, attach those to it, and this finds it there.
create index if not exists readings_by_type on casesheet.readings (patient_uid, reading_type, measured_at, reading_id);
