// Makes docs/console-*.png and docs/tour.webp from the invented readings of `rounds dev --demo`.
//   npm run screenshots [-- --into DIRECTORY] [--only NAME]
// Look at each picture before it is committed, and at the tour to its end.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findProgram } from '../tools/dev/find-program.ts'
import { mustFindEncoder, recordTour } from './record-tour.ts'

const ROOT = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: { into: { type: 'string', default: join(ROOT, 'docs') }, only: { type: 'string' } },
})
const isWanted = (name: string) => values.only === undefined || values.only === name

type Picture = {
  name: string
  person: string
  path: string
  width: number
  height: number
  colorScheme: 'light' | 'dark'
}

const ZONE = 'America/New_York'
// In which the invented people live, so that their nights are nights.
process.env['TZ'] = ZONE
/** A midnight in that zone. */
function daysAgo(days: number): string {
  const now = new Date()
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).toISOString()
}
const DOCTOR = 'Dr Willow Sample'
const LAPTOP = { width: 1_200, height: 750 }
const PICTURES: Picture[] = [
  {
    name: 'my-patients',
    person: DOCTOR,
    path: 'my-patients?selected=patient-2',
    ...LAPTOP,
    colorScheme: 'light',
  },
  { name: 'today', person: 'Ada Example', path: 'today', ...LAPTOP, colorScheme: 'light' },
  {
    name: 'charts',
    person: 'Robin Example',
    // A week with the low night.
    path: `charts?patient=child-1&type=interstitialGlucose&from=${daysAgo(9)}&to=${daysAgo(2)}`,
    ...LAPTOP,
    colorScheme: 'light',
  },
  {
    name: 'report',
    person: 'Robin Example',
    path: 'reports?patient=child-1&report=glucose',
    width: 1_200,
    height: 1_150,
    colorScheme: 'light',
  },
  {
    name: 'dark',
    person: 'Ada Example',
    path: 'charts?type=bloodPressure&range=month',
    ...LAPTOP,
    colorScheme: 'dark',
  },
  { name: 'phone', person: 'Ada Example', path: 'today', width: 390, height: 760, colorScheme: 'light' },
]

if (isWanted('tour')) mustFindEncoder()
const dev = spawn(process.execPath, ['src/cli.ts', 'dev', '--demo', '--port', '0'], {
  cwd: ROOT,
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const consoleUrl = await addressOfConsole()
  const browser = await chromium.launch({
    executablePath: findProgram('chromium') ?? 'chromium',
    args: ['--no-sandbox'],
  })
  await prepareLists(browser, consoleUrl)
  for (const picture of PICTURES) if (isWanted(picture.name)) await take(browser, consoleUrl, picture)
  if (isWanted('tour')) {
    const file = join(resolve(values.into), 'tour.webp')
    await recordTour(
      browser,
      (person, path, size, scale) =>
        signIn(browser, consoleUrl, { person, path, ...size, colorScheme: 'light', scale }),
      file,
    )
    process.stdout.write(`${file}\n`)
  }
  await browser.close()
} finally {
  dev.kill('SIGTERM')
  await once(dev, 'exit')
}

/** All that it prints is read to the end: a pipe that is full would hold it up. */
function addressOfConsole(): Promise<string> {
  let printed = ''
  return new Promise((found, fail) => {
    dev.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk
      const [, url] = /^Console: (http\S+)/.exec(printed) ?? []
      if (url) found(url)
    })
    dev.once('exit', () => fail(new Error('"rounds dev" did not start.')))
  })
}

/** A doctor's list is summarised when it is first asked for. */
async function prepareLists(browser: Browser, consoleUrl: string) {
  const person = { person: DOCTOR, path: 'my-patients', ...LAPTOP, colorScheme: 'light' } as const
  const page = await signIn(browser, consoleUrl, person)
  await page.getByText('The readings are being summarised.').first().waitFor({ state: 'detached' })
  await page.context().close()
}

async function take(browser: Browser, consoleUrl: string, picture: Picture) {
  const page = await signIn(browser, consoleUrl, picture)
  const file = join(resolve(values.into), `console-${picture.name}.png`)
  await page.screenshot({ path: file })
  await page.context().close()
  process.stdout.write(`${file}\n`)
}

/** A screen on which nothing loads any more, and whose stream of changes is open. */
async function signIn(
  browser: Browser,
  consoleUrl: string,
  { person, path, colorScheme, width, height, scale = 1 }: Omit<Picture, 'name'> & { scale?: number },
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    colorScheme,
    locale: 'en-GB',
    timezoneId: ZONE,
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  await page.goto(`${consoleUrl}${path}`)
  await page.getByRole('button', { name: person }).click()
  await page.getByRole('navigation', { name: 'Sections' }).waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.waitForLoadState('load')
  await page.waitForTimeout(1_000)
  await page.getByText(/^Live$| · live$/).waitFor()
  return page
}
