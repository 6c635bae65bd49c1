// What a simulation plays on: a database, the issuer for development, and `rounds serve` in a process of its own.
import { after } from 'node:test'
import { startDevIssuer } from '../../tools/dev/issuer.ts'
import { requestToken, type TokenHolder } from '../../tools/dev/request-token.ts'
import { AUDIENCE, createDatabase, runSql } from './harness.ts'
import { runCommand, serveForLoad } from './process.ts'

export async function startStage() {
  const [{ ownerUrl, serveUrl }, issuer] = await Promise.all([
    createDatabase(),
    startDevIssuer({ audience: AUDIENCE }),
  ])
  after(issuer.stop)
  const serveAt = (port: string) =>
    serveForLoad({
      PORT: port,
      DATABASE_URL: serveUrl,
      AUTH_ISSUER: issuer.url,
      AUTH_AUDIENCE: AUDIENCE,
    })
  let server = await serveAt('0')
  const environment = { AUTH_ISSUER: issuer.url, AUTH_CLIENT_SECRET: issuer.clientSecret }
  return {
    url: server.url,
    environment,
    stopIssuer: issuer.stop,
    token: (holder: TokenHolder) => requestToken(issuer, holder),
    /** `rounds simulate` as a process. */
    simulate: (options: string) =>
      runCommand(['simulate', '--url', server.url, ...options.split(' ')], environment),
    /** Ends the server without a chance to finish anything, and starts it anew at the same port. */
    async killAndRestart() {
      server.child.kill('SIGKILL')
      await server.ended
      server = await serveAt(new URL(server.url).port)
    },
    sql: <Row extends object>(text: string, values?: unknown[]) => runSql<Row>(ownerUrl, text, values),
    async countStored() {
      const [row] = await runSql<{ count: number }>(
        ownerUrl,
        'select count(*)::int as count from casesheet.readings',
      )
      return row?.count ?? 0
    },
  }
}

/** A row of the report, by its name. */
export function countIn(output: string, name: string): number {
  const [, count] = new RegExp(`^ {2}${name} +([\\d,]+)`, 'm').exec(output) ?? []
  if (count === undefined) throw new Error(`The report has no ${name}:\n${output}`)
  return Number(count.replaceAll(',', ''))
}
