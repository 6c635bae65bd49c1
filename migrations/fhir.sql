-- no transaction
-- The readings of a patient by when they were received or last changed: _lastUpdated of FHIR. Only databases that serve FHIR
-- have this index, since it takes a fifth of the disk and a quarter of the WAL of a reading. Types are not in it, so that the planner cannot
-- take it for the index by type. Readings are added and read while it is built, partition by partition; an empty partition needs no
-- such care.

-- An invalid index is left by a build that was stopped: every add maintains it, and no query uses it.
select format('drop index concurrently casesheet.%I', relname)
from pg_index
join pg_class on pg_class.oid = indexrelid
where not indisvalid
  and relnamespace = 'casesheet'::regnamespace
  and relname ~ '^readings_\d+_by_update$'
\gexec

select format(
  'create index %s if not exists %I on %s (patient_uid, (coalesce(changed_at, withdrawn_at, received_at)), reading_id)',
  case when pg_relation_size(relid) > 0 then 'concurrently' end,
  relname || '_by_update',
  relid::regclass)
from pg_partition_tree('casesheet.readings')
join pg_class on pg_class.oid = relid
where isleaf
\gexec

create index if not exists readings_by_update on only casesheet.readings
  (patient_uid, (coalesce(changed_at, withdrawn_at, received_at)), reading_id);

-- With the last one it becomes valid.
select format('alter index casesheet.readings_by_update attach partition casesheet.%I', relname || '_by_update')
from pg_partition_tree('casesheet.readings')
join pg_class on pg_class.oid = relid
where isleaf
  and not exists (
    select
    from pg_inherits
    where inhrelid = to_regclass(format('casesheet.%I', relname || '_by_update'))
  )
\gexec
