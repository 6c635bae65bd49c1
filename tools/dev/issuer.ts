// An OpenID provider for development and tests, on loopback unless it is asked for elsewhere: real discovery, keys, sign-in and token endpoint. Its clients:
// - rounds-dev, with a secret: gets a token for any patient, for staff, or for one of the invented people.
//     POST /token   grant_type=client_credentials, then patient_uid=… (repeated for a carer), person=… or scope=… (of readings:read,
//                   readings:withdraw, readings:changes and webhooks:manage, or of SMART), and expires_in=… for one that lives for fewer
//                   seconds; or token exchange (see token-exchange.ts)
// - rounds-console, public: people sign in to the console on a page of invented people, by authorization code with PKCE, and
//   stay signed in by refresh tokens.
// - rounds-app, public: the same for apps at any http://localhost address, and for those that are called by a scheme of their own.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { errors, type Provider } from 'oidc-provider'
import { CLIENT_ID, createProvider, SIGN_IN } from './issuer-provider.ts'
import { type IssuerKeys, makeIssuerKeys } from './kept-issuer.ts'
import { PEOPLE, type Person } from './people.ts'
import type { TokenSource } from './request-token.ts'
import { errorPage, signInPage } from './sign-in-page.ts'

export type DevIssuer = TokenSource & {
  /** Lets people sign in to the console that is served at this origin. */
  allowConsoleAt: (origin: string) => void
  stop: () => Promise<void>
}

type Settings = {
  audience: string
  port?: number
  /** The IPv4 address at which it is, and at which apps may be too. */
  host?: string | undefined
  /** By default new ones. */
  keys?: IssuerKeys | undefined
  /** How long the tokens of people who signed in live, before their refresh token gets the next one. */
  tokenSeconds?: number
  /** Who may sign in without a password. */
  people?: Person[]
}

export async function startDevIssuer({
  audience,
  port = 0,
  host = '127.0.0.1',
  keys: given,
  tokenSeconds = 300,
  people = PEOPLE,
}: Settings): Promise<DevIssuer> {
  const server = createServer()
  await new Promise<void>((done, fail) => {
    server.once('error', fail).listen(port, host, done)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The issuer is not listening.')
  const url = `http://${host}:${address.port}`
  const keys = given ?? (await makeIssuerKeys())
  const consoleOrigins = new Set<string>()
  const provider = createProvider({ url, host, audience, keys, tokenSeconds, consoleOrigins })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith(SIGN_IN)) return void answer(request, response)
    // A browser that leaves in the middle must not end the issuer.
    return void signIn(provider, people, { request, response }).catch(() => response.destroy())
  })
  return {
    url,
    clientId: CLIENT_ID,
    clientSecret: keys.clientSecret,
    allowConsoleAt(origin) {
      consoleOrigins.add(origin)
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

type Exchange = { request: IncomingMessage; response: ServerResponse }

/** Shows the people, and goes on as the one who was chosen. The provider's cookie ties the page to the browser that asked. */
async function signIn(provider: Provider, people: Person[], { request, response }: Exchange) {
  try {
    await provider.interactionDetails(request, response)
    const asked = request.method === 'POST' ? new URLSearchParams(await text(request)).get('person') : null
    const person = people.find(({ id }) => id === asked)
    if (!person) return sendPage(response, 200, signInPage(people))
    return await provider.interactionFinished(
      request,
      response,
      { login: { accountId: person.id, remember: false } },
      { mergeWithLastSubmission: false },
    )
  } catch (error) {
    if (!(error instanceof errors.OIDCProviderError)) throw error
    const reason = 'This sign-in is over. Go back to where you came from and begin again.'
    return sendPage(response, 400, errorPage(reason))
  }
}

function sendPage(response: ServerResponse, status: number, page: string) {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
  })
  response.end(page)
}
