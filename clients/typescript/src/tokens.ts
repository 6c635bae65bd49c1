// Where access tokens come from: the app's own function. Its refreshes are shared, because issuers that rotate refresh
// tokens end the session when two refreshes run at once.
import { RoundsError } from './rounds-error.ts'

/**
 * Gives an access token. It is called before every request, so it should cache the token until it expires. When the service
 * has refused a token, it is called once more with that token and should get a new one.
 */
export type TokenProvider = (refused?: string) => string | Promise<string>

/** The tokens of a client. `patientUid` is the patient that a call is about, where it names one. */
export type Tokens = {
  /** Whether each patient has a token of their own, so that a request may be about one patient only. */
  readonly byPatient: boolean
  current: (patientUid: string | undefined) => Promise<string>
  insteadOf: (refused: string, patientUid: string | undefined) => Promise<string>
}

export function shareTokens(provider: TokenProvider): Tokens {
  let refresh: Promise<string> | undefined
  let replaced: { refused: string; fresh: string } | undefined

  async function refreshNow(refused: string): Promise<string> {
    const fresh = mustBeToken(await provider(refused))
    if (fresh !== refused) replaced = { refused, fresh }
    return fresh
  }
  return {
    byPatient: false,
    current: async () => refresh ?? mustBeToken(await provider()),
    async insteadOf(refused) {
      // A call that was in flight with the old token while another call had it replaced.
      if (replaced?.refused === refused) return replaced.fresh
      refresh ??= refreshNow(refused).finally(() => {
        refresh = undefined
      })
      return refresh
    },
  }
}

/** For calls that go on for ever: what the app's function throws is repeated, as a network that is away is. */
export function repeatable(tokens: Tokens): Tokens {
  const unavailable = (cause: unknown): never => {
    if (cause instanceof TokenMisuse) throw cause
    const reason = cause instanceof Error ? ` ${cause.message}` : ''
    const message = `The token provider gave no token.${reason}`
    throw new RoundsError({ code: 'TokenUnavailable', message, retryable: true, cause })
  }
  return {
    byPatient: tokens.byPatient,
    current: (patientUid) => tokens.current(patientUid).catch(unavailable),
    insteadOf: (refused, patientUid) => tokens.insteadOf(refused, patientUid).catch(unavailable),
  }
}

/** A mistake in the program, which no repetition will cure. */
export class TokenMisuse extends TypeError {}

export function mustBeToken(token: unknown): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token
  throw new TokenMisuse('The token provider must give an access token, without "Bearer".')
}
