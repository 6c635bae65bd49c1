// A session of its own, for a command: opened, handed over and ended.
import { Client } from './client.ts'
import { DURABLE_COMMITS } from './durable-commits.ts'

/** TCP alone would try for two minutes to reach an address at which nothing answers. */
const CONNECT_WITHIN_MS = 20_000

export async function withSession<T>(
  databaseUrl: string,
  name: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: name,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  })
  // Emitted when the connection is lost between two statements; the next statement then fails.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(DURABLE_COMMITS)
    return await work(client)
  } finally {
    await client.end()
  }
}
