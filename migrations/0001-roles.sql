-- The role that serving needs, and no more: each file grants it what its tables allow. It cannot log in; an operator
-- creates a login role and grants it this one:  create role api login in role rounds_server.
-- Roles belong to the whole server, so another database of this server may have made it already, even at this moment.
do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'rounds_server') then
    create role rounds_server nologin;
  end if;
exception
  when duplicate_object or unique_violation then null;
  when insufficient_privilege then
    raise insufficient_privilege using
      message = 'the role rounds_server does not exist, and this role may not create it',
      hint = 'Ask an administrator to run: create role rounds_server nologin';
end
$$;

-- So that the server can say in its readiness whether the database is up to date.
grant usage on schema rounds to rounds_server;
grant select on rounds.migration_files to rounds_server;
