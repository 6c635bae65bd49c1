// What a client is made from: addresses, tokens, limits; checked when the client is made, and not at its first call.
import type { Fetch } from './call.ts'
import { isObject, kindOf, mustBeCount, mustBeFunction, mustBeMs, mustBeOptions } from './check-arguments.ts'
import { shareTokens, type TokenProvider, type Tokens } from './tokens.ts'

/** Where Rounds answers: one address for all modules, or one for each when they run apart. */
type Addresses =
  | { url: string }
  | {
      appointmentsUrl: string
      casesheetUrl: string
      /** Targets, reviews and reports. Default: `/care` beside the readings. */
      careUrl?: string | undefined
      /** Webhooks. Default: `/webhooks` beside the readings. */
      webhooksUrl?: string | undefined
    }

export type RoundsClientOptions = Addresses & {
  /** A function that gives the access token; `tokenByPatient(…)` for a gateway; or a token that never changes. */
  token: TokenProvider | Tokens | string
  /** Maximum number of times a request is sent, the first time included. Default 5. */
  attempts?: number | undefined
  /** How long one attempt may take. The service itself may hold a request for 30 s while its database fails over. */
  attemptTimeoutMs?: number | undefined
  /** How long a call may take as a whole. */
  timeoutMs?: number | undefined
  /** In place of the global fetch. */
  fetch?: Fetch | undefined
}

const OPTIONS = [
  'url',
  'appointmentsUrl',
  'casesheetUrl',
  'careUrl',
  'webhooksUrl',
  'token',
  'attempts',
  'attemptTimeoutMs',
  'timeoutMs',
  'fetch',
]

export function mustBeClientOptions(options: unknown) {
  mustBeOptions(options, 'createRoundsClient', OPTIONS)
  mustBeCount(options['attempts'], 'attempts')
  mustBeMs(options['attemptTimeoutMs'], 'attemptTimeoutMs')
  mustBeMs(options['timeoutMs'], 'timeoutMs')
  if (options['fetch'] !== undefined) mustBeFunction(options['fetch'], 'fetch')
}

export function tokensOf(token: RoundsClientOptions['token']): Tokens {
  if (typeof token === 'function') return shareTokens(token)
  if (typeof token === 'string') return shareTokens(() => token)
  if (isObject(token) && typeof token.insteadOf === 'function') return token
  throw new TypeError(
    `createRoundsClient needs token: a function that gives an access token, or the token itself, not ${kindOf(token)}.`,
  )
}

/** Not by `URL`, of which React Native has only a part. */
function originOf(address: string): string {
  const end = address.indexOf('/', address.indexOf('//') + 2)
  return end === -1 ? address : address.slice(0, end)
}

export function addressesOf(options: RoundsClientOptions) {
  if ('url' in options && options.url !== undefined) {
    const url = trimmed(options.url, 'url')
    return {
      appointments: `${url}/appointments`,
      casesheet: `${url}/casesheet`,
      care: `${url}/care`,
      webhooks: `${url}/webhooks`,
    }
  }
  const { appointmentsUrl, casesheetUrl, careUrl, webhooksUrl } = options as Partial<
    Extract<Addresses, { casesheetUrl: string }>
  >
  if (appointmentsUrl === undefined || casesheetUrl === undefined) {
    throw new TypeError(
      "createRoundsClient needs url, such as 'https://rounds.example', or both appointmentsUrl and casesheetUrl.",
    )
  }
  const casesheet = trimmed(casesheetUrl, 'casesheetUrl')
  const beside = (url: string | undefined, name: string, path: string) =>
    url === undefined ? `${originOf(casesheet)}${path}` : trimmed(url, name)
  return {
    appointments: trimmed(appointmentsUrl, 'appointmentsUrl'),
    casesheet,
    care: beside(careUrl, 'careUrl', '/care'),
    webhooks: beside(webhooksUrl, 'webhooksUrl', '/webhooks'),
  }
}

function trimmed(url: unknown, name: string): string {
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) {
    throw new TypeError(`${name} must be an address that begins with https:// or http://.`)
  }
  let end = url.length
  while (url[end - 1] === '/') end--
  return url.slice(0, end)
}
