// Where the bench plays: a durable PostgreSQL, its data, an issuer's tokens, and server processes, all on loopback.
import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { type MigrateOptions, migrate } from '../src/db/migrate/migrate.ts'
import { runSql } from '../tools/dev/run-sql.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../tools/dev/throwaway-postgres.ts'

export const AUDIENCE = 'rounds-bench'
const FHIR_ID_KEY = randomBytes(32).toString('base64')
const ROOT = join(import.meta.dirname, '..')

/** What a production server would have: every commit on disk before it is answered. */
export const DURABLE = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '4GB',
  max_wal_size: '16GB',
  checkpoint_timeout: '2h',
}

/** Fewer than a server queues before it refuses. */
const AT_ONCE = 16

export type Database = {
  url: string
  sql: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>
}

export type Stage = Awaited<ReturnType<typeof setStage>>

export async function setStage() {
  const postgres = await startThrowawayPostgres(DURABLE)
  const others: ThrowawayPostgres[] = []
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'bench', alg: 'RS256', use: 'sig' }
  const keys = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })))
  await new Promise<void>((done) => keys.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(keys.address() as AddressInfo).port}`
  const dir = mkdtempSync(join(tmpdir(), 'rounds-bench-'))
  chmodSync(dir, 0o777) // PostgreSQL runs as another user and copies files here
  const processes: ChildProcess[] = []

  /** A file of distinct RS256 tokens, one a line: "<patientUid> <token>". The token names the patient, or a doctor. */
  async function writeTokens(
    name: string,
    patientOf: (index: number) => string,
    count: number,
    doctorId?: string,
  ) {
    const lines = Array.from({ length: count }, async (_, index) => {
      const patientUid = patientOf(index)
      const token = await new SignJWT(doctorId === undefined ? { patientUid } : { doctorId })
        .setProtectedHeader({ alg: 'RS256', kid: 'bench', typ: 'at+jwt' })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(`device-${index}`)
        .setIssuedAt()
        .setExpirationTime('30d')
        .sign(privateKey)
      return `${patientUid} ${token}`
    })
    const path = join(dir, name)
    writeFileSync(path, (await Promise.all(lines)).join('\n'))
    return path
  }

  /** A server of ours or of another kind, once it says where it answers. */
  async function startServer(args: string[], environment: Record<string, string>, cwd = ROOT) {
    const child = spawn(process.execPath, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        PORT: '0',
        ADMIN_PORT: '0',
        AUTH_ISSUER: issuer,
        AUTH_JWKS_URL: `${issuer}/jwks`,
        AUTH_AUDIENCE: AUDIENCE,
        PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
        RATE_LIMIT_PER_MINUTE: '1000000000',
        RATE_LIMIT_BYTES_PER_MINUTE: '1000000000000',
        PATIENT_BYTES_PER_DAY: '1000000000000',
        FHIR_ID_KEY,
        LOG_LEVEL: 'warn',
        ...environment,
      },
    })
    processes.push(child)
    const url = await new Promise<string>((found, fail) => {
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
        const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? []
        if (address) found(address)
      })
      child.once('exit', (code) => fail(new Error(`${args.join(' ')} ended with ${code}`)))
    })
    return { url, pid: child.pid ?? 0, stop: () => stopProcess(child) }
  }

  /** Sends each token once, so that no figure is about verifying signatures: a phone sends the same one for an hour. */
  async function introduceTokens(url: string, path: string) {
    const tokens = (await read(path)).split('\n').map((line) => line.split(' ')[1])
    for (let next = 0; next < tokens.length; next += AT_ONCE) {
      await Promise.all(
        tokens.slice(next, next + AT_ONCE).map(async (token) => {
          const answer = await fetch(`${url}/appointments/doctors/specialities/list`, {
            headers: { authorization: `Bearer ${token}` },
          })
          const text = await answer.text()
          if (!answer.ok) throw new Error(`A token of ${path} was answered ${answer.status}: ${text}`)
        }),
      )
    }
  }

  /** A database of its own in the same PostgreSQL, migrated for all modules, and empty. */
  async function createDatabase(
    name: string,
    options: MigrateOptions = { modules: ['fhir'] },
  ): Promise<Database> {
    await runSql(postgres.url, `create database ${name}`)
    const url = Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href
    await migrate(url, options)
    return { url, sql: (text, values) => runSql(url, text, values) }
  }

  /** Another PostgreSQL, migrated and empty, for what must not see what the others do. */
  async function startPostgres(settings: Record<string, string>, modules: string[] = []): Promise<Database> {
    const other = await startThrowawayPostgres({ ...DURABLE, ...settings })
    others.push(other)
    await migrate(other.url, { modules })
    return { url: other.url, sql: (text, values) => runSql(other.url, text, values) }
  }

  async function strike() {
    await Promise.all(processes.map(stopProcess))
    keys.close()
    await Promise.all([postgres, ...others].map((cluster) => cluster.stop()))
  }
  const read = (path: string) => readFile(path, 'utf8')
  return {
    createDatabase,
    startPostgres,
    postgresPid: postgres.pid,
    dir,
    writeTokens,
    introduceTokens,
    startServer,
    read,
    strike,
  }
}

async function stopProcess(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  await ended
}
