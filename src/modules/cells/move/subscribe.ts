// The subscription of the new cell to what the old one publishes.
//
// Its address holds a password. PostgreSQL logs a statement that fails, so the one with the address does not connect; a later one
// does, and fails without it.
import { type Client, escapeIdentifier, escapeLiteral } from 'pg'
import { codeOf } from '../../../error-code.ts'
import { CommandError } from '../../../refusal.ts'

export type Subscription = {
  name: string
  publications: string[]
  /** The address at which the new cell's PostgreSQL reaches the old one. */
  sourceUrl: string
}

/** A subscription that copies nothing yet. Returns a pattern of the replication slots that its copies will make in the old cell. */
export async function createSubscription(target: Client, subscription: Subscription): Promise<string> {
  const { name, publications, sourceUrl } = subscription
  await target.query('begin')
  try {
    await target.query(LOG_NO_STATEMENT)
    await target.query(
      `create subscription ${escapeIdentifier(name)}
       connection ${escapeLiteral(sourceUrl)}
       publication ${publications.map(escapeIdentifier).join()}
       with (connect = false, slot_name = ${escapeLiteral(name)})`,
    )
    await target.query('commit')
  } catch (error) {
    await target.query('rollback').catch(() => {})
    throw error
  }
  const { rows } = await target.query<{ slots: string }>(
    String.raw`select format('pg\_%s\_sync\_%%\_%s', oid, system_identifier) as slots
     from pg_subscription
     cross join pg_control_system()
     where subname = $1
       and subdbid = ${THIS_DATABASE}`,
    [name],
  )
  const [found] = rows
  if (!found) throw new Error('The subscription is missing.')
  return found.slots
}

/** Begins to copy. */
export async function startSubscription(target: Client, name: string) {
  const subscription = escapeIdentifier(name)
  await target.query(`alter subscription ${subscription} enable`)
  await target.query(`alter subscription ${subscription} refresh publication`).catch((error: Error) => {
    throw codeOf(error) === NOT_CONNECTED ? cannotReach(error) : error
  })
}

const NOT_CONNECTED = '08006'

/** PostgreSQL names the address, without its password. */
function cannotReach(cause: Error): CommandError {
  return new CommandError(
    `PostgreSQL of the new cell cannot reach the old one by the address of --via, or else of DATABASE_URL: ${cause.message.trim()}`,
    { cause },
  )
}

const THIS_DATABASE = '(select oid from pg_database where datname = current_database())'

/** An address of the wrong form fails as well, and an operator may log every statement. Where the role may not set these, it stays so. */
const LOG_NO_STATEMENT = `
  select set_config(name, value, true)
  from (
    values
      ('log_statement', 'none'),
      ('log_min_error_statement', 'panic'),
      ('log_min_duration_statement', '-1'),
      ('log_min_duration_sample', '-1'),
      ('log_transaction_sample_rate', '0'),
      ('pg_stat_statements.track_utility', 'off')
  ) as quiet (name, value)
  join pg_settings using (name)
  where has_parameter_privilege(name, 'SET')`

/** Whether it copies, or has copied: an earlier run may have created it and failed to connect. */
export async function isSubscribed(target: Client, name: string): Promise<boolean> {
  const { rows } = await target.query(
    `select
     from pg_subscription
     join pg_subscription_rel on srsubid = pg_subscription.oid
     where subname = $1
       and subdbid = ${THIS_DATABASE}`,
    [name],
  )
  return rows.length > 0
}

export async function hasSubscription(target: Client, name: string): Promise<boolean> {
  const { rows } = await target.query(
    `select from pg_subscription where subname = $1 and subdbid = ${THIS_DATABASE}`,
    [name],
  )
  return rows.length > 0
}

/** Whether it was there. */
export async function dropSubscription(target: Client, name: string): Promise<boolean> {
  if (!(await hasSubscription(target, name))) return false
  const subscription = escapeIdentifier(name)
  await target.query(`alter subscription ${subscription} disable`)
  // Else the subscription would drop the slot itself, and fail if that is no longer there.
  await target.query(`alter subscription ${subscription} set (slot_name = none)`)
  await target.query(`drop subscription ${subscription}`)
  return true
}
