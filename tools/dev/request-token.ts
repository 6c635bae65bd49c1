// Asking the development issuer for a token. It stands apart from the issuer, which takes long to load.
import { setTimeout as pause } from 'node:timers/promises'
import { CommandError } from '../../src/refusal.ts'

/** The scope of people who read every patient's readings. */
const STAFF_SCOPE = 'readings:read'

/** The scopes of staff and services, as a server without settings of its own knows them. */
export const SCOPES = [STAFF_SCOPE, 'readings:withdraw', 'readings:changes', 'webhooks:manage']

// A working day: the issuer, and with it every token, ends sooner or later than that anyway.
export const MAX_TOKEN_SECONDS = 12 * 3_600

const ATTEMPTS = 4
const WITHIN_MS = 20_000

/** Where to ask for tokens, and as whom. */
export type TokenSource = { url: string; clientId: string; clientSecret: string }

/** Whom a token names: patients, a service (or staff) that has scopes, a doctor, or one of the invented people. */
export type TokenHolder =
  | { patientUids?: string[]; scopes?: string[] }
  | { doctorId: string }
  | { person: string }
  | 'staff'

/** An access token from the token endpoint, as any client of a provider would ask for it. */
export async function requestToken(
  { url, clientId, clientSecret }: TokenSource,
  holder: TokenHolder,
  expiresInSeconds = MAX_TOKEN_SECONDS,
): Promise<string> {
  const asked = new URLSearchParams({
    grant_type: 'client_credentials',
    expires_in: String(expiresInSeconds),
  })
  if (holder === 'staff') asked.set('scope', STAFF_SCOPE)
  else if ('person' in holder) asked.set('person', holder.person)
  else if ('doctorId' in holder) asked.set('doctor_id', holder.doctorId)
  else {
    const { patientUids = [], scopes = [] } = holder
    if (scopes.length > 0) asked.set('scope', scopes.join(' '))
    for (const patientUid of patientUids) asked.append('patient_uid', patientUid)
  }
  const headers = { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` }
  const { isOk, text } = await ask(`${url}/token`, { method: 'POST', headers, body: asked }).catch(
    (cause: unknown) => {
      throw new CommandError(`The issuer at ${url} does not answer. Start "npx rounds dev" again.`, { cause })
    },
  )
  const answer = Object(JSON.parse(text))
  if (!isOk) throw new Error(`The issuer gave no token: ${answer.error_description ?? answer.error}.`)
  return answer.access_token
}

/** Tokens may be asked for twice: a connection that was kept may be closed by the issuer just as it is used again. */
async function ask(url: string, init: RequestInit) {
  const signal = AbortSignal.timeout(WITHIN_MS)
  for (let failures = 0; ; ) {
    try {
      const response = await fetch(url, { ...init, signal })
      return { isOk: response.ok, text: await response.text() }
    } catch (error) {
      if (++failures === ATTEMPTS || signal.aborted) throw error
      await pause(failures * 100)
    }
  }
}
