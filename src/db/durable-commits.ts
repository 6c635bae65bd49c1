// What is acknowledged must survive a crash and, with synchronous standbys, the loss of a node. A default of the server, the
// role or the database may be weaker: after `synchronous_commit = off` a crash loses the last commits, and `local` and
// `remote_write` do not wait until a standby has flushed them. So each session that writes sets it to `on`, the weakest value
// that keeps the promise. `remote_apply` is stronger and stays.
export const DURABLE_COMMITS = `
  select set_config('synchronous_commit', 'on', false)
  where current_setting('synchronous_commit') <> 'remote_apply'`
