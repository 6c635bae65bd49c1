// What is kept for a database of one's own (`rounds dev --database`): key, secret and port of the development issuer, so that apps,
// tokens and settings that know it are good after a restart, and the keys of webhooks, whose secrets are in that database, and of ids of FHIR. It stands in the user's own state directory,
// never in the project, and only this user can read it.
import { createHash, randomBytes } from 'node:crypto'
import { lstat, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { ConfigError } from '../../src/config/config.ts'
import { codeOf } from '../../src/error-code.ts'

export type IssuerKeys = { key: JWK; clientSecret: string }

/** The keys that modules need. */
export type ModuleKeys = { webhookKey: string; fhirIdKey: string }

/** The port is that of the last run. Earlier releases kept fewer keys. */
export type KeptIssuer = IssuerKeys & Partial<ModuleKeys> & { port: number }

export const makeModuleKey = () => randomBytes(32).toString('base64')

export async function makeIssuerKeys(): Promise<IssuerKeys> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  // A key id of its own, so that a server which outlives this issuer knows the next one's key for a new key.
  const key = {
    ...(await exportJWK(privateKey)),
    alg: 'ES256',
    use: 'sig',
    kid: randomBytes(8).toString('hex'),
  }
  return { key, clientSecret: randomBytes(32).toString('base64url') }
}

type Environment = Record<string, string | undefined>

/** Where the issuer of a database is kept. The name tells one database from another, and says nothing about it. */
export function keptIssuerFile(databaseUrl: string, { XDG_STATE_HOME, HOME }: Environment): string {
  const { hostname, port, pathname, search } = new URL(databaseUrl)
  const database = createHash('sha256').update([hostname, port, pathname, search].join(' ')).digest('hex')
  const state = XDG_STATE_HOME?.trim() || join(HOME?.trim() || homedir(), '.local/state')
  return join(state, 'rounds-dev', `issuer-${database.slice(0, 16)}.json`)
}

export async function readKeptIssuer(file: string): Promise<KeptIssuer | undefined> {
  try {
    await mustBePrivate(file)
    return JSON.parse(await readFile(file, 'utf8')) as KeptIssuer
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    if (!(error instanceof SyntaxError)) throw error
    throw new ConfigError(`${file} is not what "rounds dev" wrote. Delete it.`, { cause: error })
  }
}

export async function keepIssuer(file: string, kept: KeptIssuer): Promise<void> {
  const dir = join(file, '..')
  await mkdir(dir, { recursive: true, mode: 0o700 }).catch((cause: Error) => {
    throw new ConfigError(`${dir} cannot be made (${codeOf(cause)}). Name another place in XDG_STATE_HOME.`, {
      cause,
    })
  })
  await mustBePrivate(dir)
  // Renamed into place, so that no process reads half of it.
  const written = `${file}-${process.pid}`
  await writeFile(written, JSON.stringify(kept), { mode: 0o600 })
  await rename(written, file)
}

/** A file or directory of another user, one that others may enter or read, and a link could hand a key to them. */
async function mustBePrivate(path: string) {
  const stats = await lstat(path)
  const isOurs = stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0
  if (isOurs && !stats.isSymbolicLink()) return
  throw new ConfigError(`${path} must be this user's own, and closed to others (chmod go= ${path}).`)
}
