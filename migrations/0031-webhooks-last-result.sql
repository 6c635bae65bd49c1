-- Whether the last attempt succeeded; false until the first one did, also for endpoints from before. It says which endpoints may hold up
-- the others, also after a restart: failures begins anew when somebody resumes or replays an endpoint.
alter table webhooks.endpoints add column has_succeeded boolean not null default false;
