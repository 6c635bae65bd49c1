// A session of its own, for a command: opened, handed over and ended.
import { Client } from 'pg'

export async function withSession<T>(
  databaseUrl: string,
  name: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: databaseUrl, application_name: name, keepAlive: true })
  // Emitted when the connection is lost between two statements; the next statement then fails.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}
