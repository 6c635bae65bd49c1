// The driver's client, with an end in bounded time. The driver waits until the server has closed its side of the connection,
// which a server that is frozen or cut off never does. Its socket would keep the process alive.
import type { Socket } from 'node:net'
import pg from 'pg'

const GOODBYE_MS = 1_000

export class Client extends pg.Client {
  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void): Promise<void> | void {
    const timer = setTimeout(() => socketOf(this).destroy(), GOODBYE_MS).unref()
    this.once('end', () => clearTimeout(timer))
    return callback ? super.end(callback) : super.end()
  }
}

/** The driver's types do not name it. */
function socketOf(client: Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}
