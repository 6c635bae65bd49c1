-- Run once by the PostgreSQL image, on an empty data directory: the role that `rounds serve` logs in as. It can do what
-- migrations grant to rounds_server, and nothing else.
\set password `cat /run/secrets/rounds/api-password`
create role rounds_server nologin;
create role rounds_api login password :'password' in role rounds_server;
