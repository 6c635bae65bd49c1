-- The serving role can no longer say when a reading was received or when a read happened: the database does.

-- Every column but received_at, which has its default. A revoke on the table takes back grants on columns too, so it comes first.
revoke insert on casesheet.readings from rounds_server;
do $$
begin
  execute format(
    'grant insert (%s) on casesheet.readings to rounds_server',
    (
      select string_agg(quote_ident(attname), ', ' order by attnum)
      from pg_attribute
      where attrelid = 'casesheet.readings'::regclass
        and attnum > 0
        and not attisdropped
        and attname <> 'received_at'
    ));
end
$$;

-- Later pages of a streamed range are logged under the time of its first page, so the role must be able to insert `at`. A
-- policy says which: now, or, for a later page, the time of the first page of that very request. The owner is not bound by it.
-- The search is a function in plpgsql, which is planned by itself: as a part of the policy it would stand, with every
-- partition, in the plan of each statement that logs a read.
create function casesheet.has_first_page(patient text, began_at timestamptz, request text) returns boolean
language plpgsql stable as $$
begin
  return exists (
    select
    from casesheet.access_log
    where patient_uid = patient
      and at = began_at
      and request_id = request
      and page = 0
  );
end
$$;
revoke execute on function casesheet.has_first_page from public;
grant execute on function casesheet.has_first_page to rounds_server;

-- Whoever else was granted something on the table keeps it: the first policy allows all that grants allow.
create policy as_granted on casesheet.access_log using (true) with check (true);
create policy server_cannot_set_at on casesheet.access_log as restrictive for insert to rounds_server with check (
  case when page = 0 then at = now() else casesheet.has_first_page(patient_uid, at, request_id) end
);
alter table casesheet.access_log enable row level security;
