-- A page that somebody skipped, because its receiver never accepts it. It has an entry of its own: by whom, behind which position of the
-- sequence of changes, and up to which.
alter table webhooks.attempts
  add column skipped_by text,
  add column skipped_after text,
  add column skipped_up_to text;
-- No entry from before is one, so none is read.
alter table webhooks.attempts add constraint attempts_skipped check (
  num_nulls(skipped_by, skipped_after, skipped_up_to) = case when error = 'skipped' then 0 else 3 end
) not valid;
