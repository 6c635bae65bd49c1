// The rights that a move needs in both databases. All are asked before anything is recorded, so that a role that lacks one is
// told at once, and nothing is left behind.
import { Client } from 'pg'
import { TABLES } from './moved-tables.ts'

export type RightsOfMove = {
  source: Client
  target: Client
  /** The address at which PostgreSQL of the new cell reaches the old one. */
  sourceUrlForTarget: string
}

/** Each missing right in a sentence: the role, the database, the right, and how to grant it. */
export async function findMissingRights({ source, target, sourceUrlForTarget }: RightsOfMove) {
  return [
    ...(await missingInOldCell(source)),
    ...(await missingOfCopyingRole(source, sourceUrlForTarget)),
    ...(await missingInNewCell(target, sourceUrlForTarget)),
  ]
}

type Role = {
  role: string
  database: string
  is_superuser: boolean
  may_replicate: boolean
  may_create: boolean
  may_subscribe: boolean
  version: number
}

async function roleOf(client: Client): Promise<Role> {
  const { rows } = await client.query<Role>(
    `select current_user as role, current_database() as database, rolsuper as is_superuser,
       rolsuper or rolreplication as may_replicate,
       has_database_privilege(current_database(), 'create') as may_create,
       exists (
         select
         from pg_roles as granted
         where granted.rolname = 'pg_create_subscription'
           and pg_has_role(granted.oid, 'usage')
       ) as may_subscribe,
       current_setting('server_version_num')::integer / 10000 as version
     from pg_roles
     where rolname = current_user`,
  )
  const [role] = rows
  if (!role) throw new Error('PostgreSQL does not list the role of this session.')
  return role
}

type Cell = 'old' | 'new'

const lacks = (cell: Cell, role: string, database: string, right: string) =>
  `The role "${role}" lacks ${right} in the database "${database}" of the ${cell} cell`

function withoutCreate(cell: Cell, { role, database, may_create }: Role): string[] {
  if (may_create) return []
  return [`${lacks(cell, role, database, 'CREATE')}: grant create on database "${database}" to "${role}".`]
}

async function missingInOldCell(source: Client): Promise<string[]> {
  const role = await roleOf(source)
  const missing = withoutCreate('old', role)
  if (!role.may_replicate)
    missing.push(
      `${lacks('old', role.role, role.database, 'REPLICATION')}, which creates the replication slot: alter role "${role.role}" replication.`,
    )
  return missing
}

/** Version 15 lets only a superuser subscribe; later versions have a role for it, which must then give a password to the old cell. */
async function missingInNewCell(target: Client, sourceUrlForTarget: string): Promise<string[]> {
  const role = await roleOf(target)
  if (role.is_superuser) return []
  if (role.version < 16)
    return [
      `${lacks('new', role.role, role.database, 'SUPERUSER')}: PostgreSQL ${role.version} lets only a superuser create a subscription. For the time of the move: alter role "${role.role}" superuser.`,
    ]
  const missing = withoutCreate('new', role)
  if (!role.may_subscribe)
    missing.push(
      `${lacks('new', role.role, role.database, 'pg_create_subscription')}: grant pg_create_subscription to "${role.role}".`,
    )
  if (new URL(sourceUrlForTarget).password === '')
    missing.push(
      `The role "${role.role}" of the new cell is no superuser, so PostgreSQL there must use a password for the old cell: give --via, or CELL_VIA, an address with a password.`,
    )
  return missing
}

type CopyingRole = { database: string; may_replicate: boolean; may_connect: boolean; unreadable: string[] }

/** The role by which the new cell copies, in the old cell. An address without a role leaves the choice to PostgreSQL there. */
async function missingOfCopyingRole(source: Client, sourceUrlForTarget: string): Promise<string[]> {
  const { username } = new URL(sourceUrlForTarget)
  if (username === '') return []
  const name = decodeURIComponent(username)
  const { rows } = await source.query<CopyingRole>(
    `select current_database() as database, rolsuper or rolreplication as may_replicate,
       has_database_privilege(pg_roles.oid, current_database(), 'connect') as may_connect,
       array(
         select name
         from unnest($2::text[]) as name
         where not has_schema_privilege(pg_roles.oid, 'casesheet', 'usage')
           or not has_table_privilege(pg_roles.oid, name, 'select')
       ) as unreadable
     from pg_roles
     where rolname = $1
       and rolcanlogin`,
    [name, TABLES],
  )
  const [role] = rows
  if (!role) return [`The old cell has no role "${name}" that may log in: the address of --via names it.`]
  const { database, may_replicate, may_connect, unreadable } = role
  const missing: string[] = []
  if (!may_connect)
    missing.push(
      `${lacks('old', name, database, 'CONNECT')}: grant connect on database "${database}" to "${name}".`,
    )
  if (!may_replicate)
    missing.push(
      `${lacks('old', name, database, 'REPLICATION')}, by which the new cell copies: alter role "${name}" replication.`,
    )
  if (unreadable.length > 0)
    missing.push(
      `${lacks('old', name, database, `SELECT on ${unreadable.join(', ')}`)}: grant usage on schema casesheet and select on these tables to "${name}".`,
    )
  return [...new Set(missing)]
}
