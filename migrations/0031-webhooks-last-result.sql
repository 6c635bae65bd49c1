-- Whether the last attempt succeeded; false where there was none yet. It says which endpoints may hold up the others, also after a
-- restart: failures begins anew when somebody resumes or replays an endpoint.
alter table webhooks.endpoints add column has_succeeded boolean not null default false;
