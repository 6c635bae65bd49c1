-- What move-partition.sh says to both clusters, in views and functions of its sessions. Most functions answer with statements, which
-- psql runs one by one (\gexec). Each looks at what is there, so that it may be asked again after it was stopped.
create temporary table this_move as select :'n' as n, :modulus as modulus, 'rounds_move_' || :'n' as copying;

-- The three tables of the partition, in the order in which they are detached: without a row in the log no read is answered.
create temporary view parts as
  select nth, format('casesheet.%I', parent)::regclass as whole, format('casesheet.%I', parent || '_' || n) as part
  from this_move cross join unnest(array['access_log', 'corrections', 'readings']) with ordinality as named (parent, nth);

-- Rows without a patient are targets for all who share. They stay, and copy_for_all copies them; the hash alone would take them for those of partition 0.
create function pg_temp.condition(n text) returns text language sql as $$
  select format('(patient_uid is not null and satisfies_hash_partition(''casesheet.readings''::regclass, %s, %s, patient_uid))', modulus, $1)
  from this_move $$;

-- Tables of patients that are not partitioned. The announcements of erasures stay where the erasures were.
create temporary table others as
  select attrelid::regclass as name, bool_or(attname = 'changed_xid') as has_change, pg_temp.condition((select n from this_move)) as condition
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where relkind = 'r' and not relispartition and attname in ('patient_uid', 'changed_xid') and not attisdropped
    and attrelid::regclass::text !~ '^casesheet\.(erasure_notices|(access_log|corrections|readings)_\d+)$'
  group by attrelid having bool_or(attname = 'patient_uid') order by 1;

create function pg_temp.attached() returns bigint language sql as
  $$ select count(*) from parts join pg_inherits on inhrelid = to_regclass(part) where not inhdetachpending $$;

-- In one transaction. Where another session is in the way, all locks are released before the next attempt.
create function pg_temp.run(statements text[]) returns void language plpgsql as $$
declare statement text;
begin
  for attempt in 1..50 loop
    begin
      foreach statement in array statements loop execute statement; end loop;
      return;
    exception when lock_not_available or deadlock_detected then perform pg_sleep(random() * 0.05);
    end;
  end loop;
  raise exception 'other sessions are in the way';
end $$;

-- A new cluster gives up all its partitions, which must be empty.
create function pg_temp.give_up() returns setof text language sql as $$
  select format('alter table %s add constraint must_be_empty check (patient_uid is null); drop table %1$s', inhrelid::regclass)
  from parts join pg_inherits on inhparent = whole cross join this_move
  where (select count(*) from pg_inherits where inhparent = 'casesheet.readings'::regclass) = modulus $$;

-- Patients of partitions that are not attached (and of this one, before it is detached) are hidden from the service in the tables that
-- are not partitioned, and a row that it adds for them is refused like one without a partition. Owners and replication pass.
create function pg_temp.fence() returns setof text language sql as $fence$
  select $$create or replace function casesheet.refuse_foreign_patient() returns boolean language plpgsql as
    'begin raise exception sqlstate ''23514'' using message = ''no partition of the patient is attached''; end'$$
  union all
  select format('create policy as_granted on %s using (true) with check (true); alter table %1$s enable row level security', name)
  from others where not exists (select from pg_policy where polrelid = name and polname = 'as_granted')
  union all
  select format('create trigger stamp_replicated before insert or update on %s for each row execute function casesheet.stamp_replicated();
    alter table %1$s enable replica trigger stamp_replicated', name)
  from others where has_change and not exists (select from pg_trigger where tgrelid = name and tgname = 'stamp_replicated')
  union all
  select format('create policy not_served_%s on %s as restrictive to rounds_server using (not %3$s)
    with check (case when %3$s then casesheet.refuse_foreign_patient() else true end)', foreign_n, name, pg_temp.condition(foreign_n::text))
  from others cross join (
    select foreign_n from this_move cross join generate_series(0, modulus - 1) as foreign_n
    where foreign_n::text = n or 'casesheet.readings_' || foreign_n not in (
      select inhrelid::regclass::text from pg_inherits where inhparent = 'casesheet.readings'::regclass)
  ) as not_here
  where (others.name::oid, 'not_served_' || foreign_n) not in (select polrelid, polname::text from pg_policy) $fence$;

-- A row that is changed or deleted is copied only where the patient is part of its identity.
create function pg_temp.publish() returns setof text language sql as $$
  select format('alter table %s replica identity full', name) from others join pg_class on pg_class.oid = name
  where relreplident = 'd' and not exists (select from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
    where indrelid = name and indisprimary and attname = 'patient_uid')
  union all
  select format('drop publication if exists %s; create publication %1$s for table %s, %s', copying,
    (select string_agg(part, ', ') from parts), (select string_agg(format('%s where (%s)', name, condition), ', ') from others))
  from this_move $$;

-- On the new cluster the tables of the partition stand detached, with its condition as a check, and with those triggers of their
-- parents that fire for replicated rows: a detached table has none.
create function pg_temp.receive() returns setof text language sql as $$
  select format('delete from %s where %s', name, condition) from others
  union all
  select format('drop table if exists %1$s; create table %1$s (like %2$s including all); alter table %1$s owner to %3$s,
    add check (satisfies_hash_partition(%4$L::oid, %5$s, %6$s, patient_uid))', part, whole, relowner::regrole, whole::oid, modulus, n)
  from parts join pg_class on pg_class.oid = whole cross join this_move
  union all
  select format('%s; alter table %s enable replica trigger moving_%s',
    regexp_replace(pg_get_triggerdef(pg_trigger.oid), 'TRIGGER (\S+) (.*) ON (\S+) FOR', 'TRIGGER moving_\1 \2 ON ' || part || ' FOR'), part, tgname)
  from parts join pg_trigger on tgrelid = whole where tgenabled in ('R', 'A') $$;

-- A statement that has used the tables for long would hold up everybody who waits behind the move.
create function pg_temp.wait_for_long_statements() returns void language plpgsql as $$ begin
  while exists (select from pg_locks join pg_stat_activity using (pid) where backend_type = 'client backend'
    and xact_start < clock_timestamp() - interval '1 s' and relation in (select whole from parts)) loop
    perform pg_sleep(0.05), pg_stat_clear_snapshot();
  end loop;
end $$;

create function pg_temp.detach(up_to integer) returns setof text language sql as $$
  select format('alter table %s detach partition %s %s', whole, part, case when inhdetachpending then 'finalize' else 'concurrently' end)
  from parts join pg_inherits on inhrelid = to_regclass(part) where nth <= up_to or inhdetachpending order by nth $$;

-- Until the new cluster has everything that was committed here before.
create function pg_temp.wait_for_subscriber(lsn pg_lsn) returns void language plpgsql as $$ begin
  for attempt in 1..2000 loop
    if exists (select from pg_replication_slots join this_move on slot_name = copying where confirmed_flush_lsn >= lsn) then return; end if;
    perform pg_sleep(0.01);
  end loop;
  raise exception 'the new cluster has not received everything within 20 s';
end $$;

-- What both copies must have in common. Places in the sequence of changes are of each cluster alone.
create function pg_temp.digest() returns setof text language sql as $$
  select format('select %1$L, count(*), sum(hashtextextended(row(%2$s)::text, 0)) from %1$s where %3$s', name, columns, condition)
  from (select name, condition from others union all select part::regclass, 'true' from parts) as copied
  cross join lateral (select string_agg(quote_ident(attname), ', ' order by attname) as columns from pg_attribute
    where attrelid = name and attnum > 0 and not attisdropped and attname <> 'changed_xid') as of_table
  order by name::text $$;

-- From which change on it may not have been followed yet: what the comment of the subscription, or of the publication, says.
create function pg_temp.unfollowed() returns text language sql as $$
  select coalesce((select obj_description(oid, 'pg_subscription') from pg_subscription where subname = copying),
    (select obj_description(oid, 'pg_publication') from pg_publication where pubname = copying), '0') from this_move $$;

-- The sessions that were there before. One that was waiting for a lock of this transaction ends too.
create function pg_temp.end_sessions() returns void language plpgsql as $$
declare others integer[] := array(select pid from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid());
begin
  perform pg_terminate_backend(pid) from unnest(others) as pid;
  perform pg_terminate_backend(pid, 5000) from unnest(others) as pid;
  perform pg_stat_clear_snapshot();
  if exists (select from pg_stat_activity where pid = any (others)) then raise exception 'a session does not end'; end if;
end $$;

-- In one transaction. What may not have been followed gets a new place in the sequence of changes. The sessions end last, while nobody
-- can read the tables: so a session that found nothing in them is gone before its next statement can succeed.
create function pg_temp.attach() returns setof text language sql as $$
  select format('update %s set changed_xid = pg_current_xact_id() where changed_xid >= %L and %s', name, pg_temp.unfollowed(), condition)
  from (select name::text, condition from others where has_change union all select part, 'true' from parts where nth = 3) as changed
  union all
  select format('drop trigger %I on %s', tgname, part) from parts join pg_trigger on tgrelid = part::regclass and tgname ~ '^moving_'
  union all
  select format('drop policy %I on %s', polname, polrelid::regclass) from pg_policy join this_move on polname = 'not_served_' || n
  union all
  select format('lock table only %s in access exclusive mode', whole) from parts
  union all
  select format('alter table %s attach partition %s for values with (modulus %s, remainder %s)', whole, part, modulus, n)
  from parts cross join this_move where part::regclass not in (select inhrelid from pg_inherits)
  union all
  select 'do $end$ begin perform pg_temp.end_sessions(); end $end$' $$;

-- A check that repeats the condition of the partition names a table by its number, which a dump does not keep.
create function pg_temp.uncheck() returns setof text language sql as $$
  select format('alter table %s drop constraint %I', part, conname) from parts join pg_constraint on conrelid = part::regclass
  where contype = 'c' and pg_get_constraintdef(pg_constraint.oid) ~ 'satisfies_hash_partition' $$;

-- In short transactions, because a long one holds back the sequence of changes.
create procedure pg_temp.forget() language plpgsql as $$
declare of record; n integer;
begin
  for of in select name, condition from others loop
    loop
      execute format('delete from %s where ctid = any (array(select ctid from %1$s where %s limit 5000))', of.name, of.condition);
      get diagnostics n = row_count;
      commit;
      exit when n = 0;
    end loop;
  end loop;
end $$;
