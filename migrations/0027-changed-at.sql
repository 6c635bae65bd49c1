-- When a reading was withdrawn or restored last; null for one that never was, and one that an earlier release has withdrawn.
alter table casesheet.readings add column changed_at timestamptz;

-- As before, and the time of the change. A new place in the sequence alone is no change of the reading.
create or replace function casesheet.stamp_change() returns trigger
language plpgsql as $$
begin
  new.changed_xid := pg_current_xact_id();
  new.withdrawn_at := case
    when new.withdrawn_by is null then null
    when old.withdrawn_by is null then now()
    else old.withdrawn_at
  end;
  if new.withdrawn_by is null then
    new.withdrawn_as := null;
  end if;
  new.changed_at := case
    when (new.withdrawn_by is null) is distinct from (old.withdrawn_by is null) then now()
    else old.changed_at
  end;
  return new;
end
$$;
