-- no transaction
-- A patient's readings of one type in order of time, whatever else was measured meanwhile: for the newest of each type,
-- for statistics, and for ranges of some types. reading_id makes the order the same total one as the primary key's.
-- Readings are added and read while it is built, partition by partition; an empty partition needs no such care.

-- What a build that was stopped left behind: it is maintained by every add, and used by no query.
select format('drop index concurrently casesheet.%I', relname)
from pg_index
join pg_class on pg_class.oid = indexrelid
where not indisvalid
  and relnamespace = 'casesheet'::regnamespace
  and relname ~ '^readings_\d+_by_type$'
\gexec

select format(
  'create index %s if not exists %I on %s (patient_uid, reading_type, measured_at, reading_id)',
  case when pg_relation_size(relid) > 0 then 'concurrently' end,
  relname || '_by_type',
  relid::regclass)
from pg_partition_tree('casesheet.readings')
join pg_class on pg_class.oid = relid
where isleaf
\gexec

create index if not exists readings_by_type on only casesheet.readings (patient_uid, reading_type, measured_at, reading_id);

-- With the last one it becomes valid.
select format('alter index casesheet.readings_by_type attach partition casesheet.%I', relname || '_by_type')
from pg_partition_tree('casesheet.readings')
join pg_class on pg_class.oid = relid
where isleaf
  and not exists (
    select
    from pg_inherits
    where inhrelid = to_regclass(format('casesheet.%I', relname || '_by_type'))
  )
\gexec
