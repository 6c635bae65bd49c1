// Makes docs/console-*.png from the invented readings of `rounds dev --demo`.   npm run screenshots [-- --into DIRECTORY]
// Look at each picture before it is committed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { findProgram } from '../tools/dev/find-program.ts'

const ROOT = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { into: { type: 'string', default: join(ROOT, 'docs') } } })

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
const LAPTOP = { width: 1_200, height: 750 }
const PICTURES: Picture[] = [
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
  for (const picture of PICTURES) await take(browser, consoleUrl, picture)
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

async function take(
  browser: Browser,
  consoleUrl: string,
  { name, person, path, colorScheme, ...viewport }: Picture,
) {
  const context = await browser.newContext({
    viewport,
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
  // Nothing loads any more, and the stream of changes is open.
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.waitForLoadState('load')
  await page.waitForTimeout(1_000)
  await page.getByText('Live', { exact: true }).waitFor()
  const file = join(resolve(values.into), `console-${name}.png`)
  await page.screenshot({ path: file })
  await context.close()
  process.stdout.write(`${file}\n`)
}
