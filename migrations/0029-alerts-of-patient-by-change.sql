-- no transaction
-- Whether alerts of a patient changed since a time: asked for each patient of a doctor whenever the list looks for news. Without it, all
-- alerts that these patients ever had are read. Alerts are written and read while it is built.

-- An invalid index is left by a build that was stopped.
select format('drop index concurrently casesheet.%I', relname)
from pg_index
join pg_class on pg_class.oid = indexrelid
where not indisvalid
  and relnamespace = 'casesheet'::regnamespace
  and relname = 'alerts_of_patient_by_change'
\gexec

create index concurrently if not exists alerts_of_patient_by_change on casesheet.alerts (patient_uid, changed_xid);
