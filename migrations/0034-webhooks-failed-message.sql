-- The message of the last attempt that failed. A page is skipped by the id of its message, so that a repeated request skips no other one.
alter table webhooks.endpoints add column failed_message_id text;
