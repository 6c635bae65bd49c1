-- no transaction
-- The sequence of changes: readings by the transaction that changed them last. Readings are added and read while the index is
-- built, partition by partition; an empty partition needs no such care.

-- An invalid index is left by a build that was stopped: every add maintains it, and no query uses it.
select format('drop index concurrently casesheet.%I', relname)
from pg_index
join pg_class on pg_class.oid = indexrelid
where not indisvalid
  and relnamespace = 'casesheet'::regnamespace
  and relname ~ '^readings_\d+_by_change$'
\gexec

select format(
  'create index %s if not exists %I on %s (changed_xid, reading_id)',
  case when pg_relation_size(relid) > 0 then 'concurrently' end,
  relname || '_by_change',
  relid::regclass)
from pg_partition_tree('casesheet.readings')
join pg_class on pg_class.oid = relid
where isleaf
\gexec

create index if not exists readings_by_change on only casesheet.readings (changed_xid, reading_id);

-- With the last one it becomes valid.
select format('alter index casesheet.readings_by_change attach partition casesheet.%I', relname || '_by_change')
from pg_partition_tree('casesheet.readings')
join pg_class on pg_class.oid = relid
where isleaf
  and not exists (
    select
    from pg_inherits
    where inhrelid = to_regclass(format('casesheet.%I', relname || '_by_change'))
  )
\gexec

-- A service that follows the sequence reads every patient in it, under a scope of its own.
alter table casesheet.access_log drop constraint if exists access_log_allowed_as_any;
alter table casesheet.access_log add constraint access_log_allowed_as_any
  check (allowed_as in ('patient', 'staff', 'operator', 'service')) not valid;
alter table casesheet.access_log validate constraint access_log_allowed_as_any;
alter table casesheet.access_log drop constraint if exists access_log_allowed_as;
