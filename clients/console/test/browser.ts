// The console as people use it: a server and an issuer of their own for each test file, Debian's Chromium, and a person who signs
// in. A test fails on an error in the browser's console, on a violation of the content security policy, and on a request that
// leaves the origin for any other place than the issuer.
import assert from 'node:assert/strict'
import { AsyncResource } from 'node:async_hooks'
import { after, type TestContext } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findFreePort } from '../../../test/support/free-port.ts'
import { createDatabase } from '../../../test/support/harness.ts'
import { needs, programOf } from '../../../test/support/needs.ts'
import { serveInProcess } from '../../../test/support/process.ts'
import { startDevIssuer } from '../../../tools/dev/issuer.ts'
import { CONSOLE_CLIENT_ID, personNamed } from '../../../tools/dev/people.ts'
import { requestToken } from '../../../tools/dev/request-token.ts'
import { createRoundsClient, type Reading, type RoundsClient } from '../../typescript/src/client.ts'

/** Options for `test()`. */
export const inBrowser = needs('chromium')

const AUDIENCE = 'rounds-console-test'

/** The invented people: tools/dev/people.ts. */
export type PersonId = 'ada-example' | 'robin-example' | 'kim-sample' | 'dr-willow-sample'

/** By night (`npm run lab screens`) all widths and looks; each change is looked at on a phone, by day. */
const isWhole = process.env['CONSOLE_LOOKS'] === 'all'
/** Widths at which every screen is looked at. */
export const WIDTHS = isWhole ? [320, 768, 1_440] : [320]
/** Widths at which something is done: the two layouts. */
export const PHONE_AND_DESK = isWhole ? [375, 1_440] : [375]
/** Colours in which every screen is looked at. */
export const COLOUR_SCHEMES = isWhole ? (['light', 'dark'] as const) : (['light'] as const)
export const LOOKS = [...COLOUR_SCHEMES, ...(isWhole ? (['forced'] as const) : [])]

/** What a browser may say of a server that was killed. */
export const SERVER_GONE =
  /ERR_CONNECTION_(?:REFUSED|RESET)|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|ERR_SOCKET|error occurred when fetching the script/

/** What it may say without a network, also when it looks for a newer service worker. */
export const NO_NETWORK = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|error occurred when fetching the script/

type StageOptions = {
  /** How long an access token lives before it is renewed. */
  tokenSeconds?: number
  /** Settings of `rounds serve`. */
  settings?: Record<string, string>
}

type OpenOptions = Pick<
  BrowserContextOptions,
  'colorScheme' | 'forcedColors' | 'timezoneId' | 'locale' | 'hasTouch' | 'reducedMotion'
> & {
  width?: number
  height?: number
  /** A path with its query, below /console/. */
  path?: string
  /** Errors that this test causes on purpose, such as SERVER_GONE. */
  ignoring?: RegExp[]
}

export type Stage = Awaited<ReturnType<typeof startStage>>

/** A server with the built console, on a database of its own. All of it stops with the test file. */
export async function startStage({ tokenSeconds = 300, settings = {} }: StageOptions = {}) {
  const [{ serveUrl, ownerUrl }, issuer, port] = await Promise.all([
    createDatabase(),
    startDevIssuer({ audience: AUDIENCE, tokenSeconds }),
    findFreePort(),
  ])
  after(issuer.stop)
  const origin = `http://127.0.0.1:${port}`
  issuer.allowConsoleAt(origin)
  const environment = {
    PORT: String(port),
    DATABASE_URL: serveUrl,
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    CONSOLE_CLIENT_ID,
    RATE_LIMIT_PER_MINUTE: '1000000',
    LOG_LEVEL: 'warn',
    ...settings,
  }
  // What is started within a test would end with it, and a server that one test starts again serves the others.
  const serve = AsyncResource.bind(() => serveInProcess(environment))
  let server = await serve()
  let browser: Browser | undefined
  after(async () => {
    await browser?.close()
    server.child.kill('SIGTERM')
    await server.ended
  })

  /** A new window, with nothing of another. */
  async function open(t: TestContext, options: OpenOptions = {}): Promise<Page> {
    const { width = 1_280, height = 800, path = '', ignoring = [], ...rest } = options
    browser ??= await chromium.launch({
      executablePath: programOf('chromium'),
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    })
    const context = await browser.newContext({
      viewport: { width, height },
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      ...rest,
    })
    // No claim about speed: a busy machine takes its time.
    context.setDefaultTimeout(180_000)
    const page = await context.newPage()
    const problems = await watchProblems(page, [origin, issuer.url])
    t.after(async () => {
      if ('error' in t && t.error !== null) {
        const shown = await page.innerText('body', { timeout: 5_000 }).catch(String)
        t.diagnostic(`The page at ${page.url()} showed: ${shown}`)
      }
      // An answer that a test holds or changes may be under way.
      if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
      assert.deepEqual(
        problems.filter((problem) => !ignoring.some((pattern) => pattern.test(problem))),
        [],
      )
    })
    await page.goto(`${origin}/console/${path}`)
    return page
  }

  return {
    origin,
    issuer,
    /** The database, as its owner. */
    ownerUrl,
    open,
    /** A window in which this person has signed in and sees the console. */
    async signIn(t: TestContext, person: PersonId, options: OpenOptions = {}): Promise<Page> {
      const page = await open(t, options)
      await choosePerson(page, person)
      await untilShown(page, origin)
      return page
    },
    /** Calls the API as this person, without a browser. */
    clientOf: async (person: PersonId): Promise<RoundsClient> =>
      createRoundsClient({ url: origin, token: await requestToken(issuer, { person }) }),
    /** Adds readings, whoever their patient is. */
    async add(readings: Reading[]) {
      for (const patientUid of new Set(readings.map((reading) => reading.patientUid))) {
        const token = await requestToken(issuer, { patientUids: [patientUid] })
        const own = readings.filter((reading) => reading.patientUid === patientUid)
        const client = createRoundsClient({ url: origin, token })
        for (let from = 0; from < own.length; from += 1_000)
          await client.addReadings(own.slice(from, from + 1_000))
      }
    },
    /** Ends the server outright, as a crash does. */
    async killServer() {
      server.child.kill('SIGKILL')
      await server.ended
    },
    /** Starts it again, at the same address. */
    async startServer() {
      server = await serve()
    },
  }
}

/** The navigation, in each language. */
const SECTIONS = /^(Sections|Bereiche)$/

/** On the issuer's page. */
export async function choosePerson(page: Page, id: PersonId) {
  const { name } = personNamed(id) ?? assert.fail(`There is no ${id}.`)
  await page.getByRole('button', { name }).click()
}

/** Until the app is there and shows a screen. */
export async function untilShown(page: Page, origin: string) {
  await page.waitForURL((url) => url.origin === origin && !url.searchParams.has('code'))
  await page.getByRole('navigation', { name: SECTIONS }).waitFor()
}

/** What went wrong in a page, as it happens. */
async function watchProblems(page: Page, origins: string[]): Promise<string[]> {
  const problems: string[] = []
  await page.addInitScript(() => {
    addEventListener(
      'securitypolicyviolation',
      ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
        const at = `${sourceFile}:${lineNumber}`
        reportError(new Error(`CSP: ${violatedDirective} refused ${blockedURI} at ${at}`))
      },
    )
  })
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message))
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    const isLocal = protocol === 'data:' || protocol === 'blob:'
    if (!isLocal && !origins.includes(origin)) problems.push(`request to ${request.url()}`)
  })
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return problems
}
