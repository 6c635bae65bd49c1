-- no transaction
-- The partitions of readings, corrections and access_log: as many as the first `rounds migrate --partitions` said, in the setting
-- rounds.partitions. Each is made by itself, because thousands of tables in one transaction take more locks than PostgreSQL has room
-- for by default.
select format(
  'create table if not exists casesheet.%1$s_%2$s partition of casesheet.%1$s for values with (modulus %3$s, remainder %2$s)',
  parent,
  remainder,
  modulus)
from (select current_setting('rounds.partitions')::integer as modulus) as chosen
cross join generate_series(0, modulus - 1) as remainder
cross join unnest(array['readings', 'corrections', 'access_log']) as parent
\gexec
