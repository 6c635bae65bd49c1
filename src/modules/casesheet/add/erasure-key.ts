// Every server needs the ERASURE_KEY under which patients are refused (refused-patients.ts). Servers show the id of their
// key in the name of their database sessions, so that a command can see which key each running server has before it
// refuses a patient. Each server also checks by itself whether somebody is refused under a key that it lacks.
import type { Client } from 'pg'
import type { Db } from '../../../db/db.ts'
import { CommandError } from '../../../refusal.ts'
import type { PatientDigests } from '../patient-digest.ts'

const SERVER = 'rounds'

/** The `application_name` of the sessions of a server that adds readings. */
export function sessionNameOf(digests: PatientDigests | undefined): string {
  return digests ? `${SERVER} key=${digests.keyId.toString('hex')}` : SERVER
}

/** A server without the key would store what it should refuse. */
export async function mustHaveTheKeyEverywhere(client: Client, digests: PatientDigests) {
  // The name is visible to every role, also to an owner that is no superuser.
  const { rows } = await client.query<{ pid: number }>(
    `select pid
     from pg_stat_activity
     where datname = current_database()
       and (application_name = $1 or application_name like $1 || ' key=%')
       and application_name <> $2
     order by pid
     limit 10`,
    [SERVER, sessionNameOf(digests)],
  )
  if (rows.length === 0) return
  const pids = rows.map(({ pid }) => pid).join(', ')
  throw new CommandError(
    'Nothing was erased: a running server has no ERASURE_KEY, or another one, and would store what it should refuse. Give every ' +
      'server this key and restart it, or leave out --refuse-until. The sessions of such servers in pg_stat_activity have ' +
      `the process ids ${pids}.`,
  )
}

/** Whether this server can recognise every refused patient; reports each change. */
export function createErasureKeyCheck(
  db: Pick<Db, 'query'>,
  digests: PatientDigests | undefined,
  report: (hasKey: boolean) => void,
): () => Promise<boolean> {
  let hasKey = true
  return async () => {
    const [row] = await db.query<{ is_unchecked: boolean }>({
      name: 'erasure-key-check',
      text: `
        select exists (
          select
          from casesheet.refused_patients
          where refused_until > now()
            and key_id is distinct from $1::bytea
        ) as is_unchecked`,
      values: [digests?.keyId ?? null],
    })
    const hadKey = hasKey
    hasKey = row?.is_unchecked === false
    if (hasKey !== hadKey) report(hasKey)
    return hasKey
  }
}
