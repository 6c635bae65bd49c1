// One statement on a connection of its own, for development, tests and the bench. The server never does this.
import { Client } from 'pg'

export async function runSql<Row extends object = Record<string, unknown>>(
  url: string,
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new Client({ connectionString: url, application_name: 'rounds dev' })
  // A connection that is cut says so here too; what matters is that the statement then fails.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}
