// The rows of a select of any length, some at a time, in bounded memory. Within a transaction, on a session of its own.
import type { Client } from 'pg'

const FETCHED_AT_ONCE = 1_000

export async function* fetchRows<Row extends object>(
  client: Client,
  select: string,
  values: unknown[] = [],
): AsyncGenerator<Row[]> {
  await client.query(`declare fetched no scroll cursor for ${select}`, values)
  for (;;) {
    const result = await client.query<Row>(`fetch ${FETCHED_AT_ONCE} from fetched`)
    const { rows } = result
    result.rows = [] // else they would stay in memory until V8's next full collection, as src/db/db.ts says
    if (rows.length === 0) break
    yield rows
  }
  await client.query('close fetched')
}
