// `rounds serve`.
import { readServeConfig, type ServeConfig } from '../config/config.ts'
import { SETTINGS, type Setting } from '../config/settings.ts'
import { HAS_PRIMARY } from '../server/processes/messages.ts'
import type { Serving } from '../server/serve.ts'
import { withinMs } from '../time-limit.ts'
import { defineCommand, mustHaveNoArguments } from './command.ts'
import { jsonLine } from './json-lines.ts'
import { nextSignal } from './signals.ts'

const HELP = `rounds serve: answer requests until SIGTERM or SIGINT.

On SIGTERM, /readyz fails at once; requests are accepted for STOP_DELAY_SECONDS more, so that load balancers can turn
elsewhere; then requests in flight are answered, for at most REQUEST_DEADLINE_SECONDS + 5, and it exits with 0. If
something does not end within 15 s more, the log says what, and it exits with 1.
SIGINT, or a second signal, skips the delay.

With PROCESSES above 1, SIGHUP replaces the processes one by one and fails no request; they read files of secrets again.

Required:
${helpOf((setting) => setting.default === undefined)}
Optional:
${helpOf((setting) => setting.default !== undefined)}
Example:
  DATABASE_URL=postgres://api@localhost/rounds AUTH_ISSUER=https://id.example AUTH_AUDIENCE=rounds npx rounds serve
`

export const serveCommand = defineCommand({
  summary: 'rounds serve                    answer requests',
  help: HELP,
  isLog: true,
  options: {},
  async run({ args }, { env, output }) {
    mustHaveNoArguments('serve', args)
    if (env[HAS_PRIMARY]) {
      const { serveForPrimary } = await import('../server/processes/worker.ts')
      await serveForPrimary(env)
      return ''
    }
    const config = readServeConfig(env)
    const started = await start(config, output)
    if (!started) return ''
    const { url, adminUrl, announceStop, stop, signalled } = started
    const console = config.console ? ` console at ${url}/console/,` : ''
    // Whatever LOG_LEVEL is.
    output.write(
      jsonLine(
        'info',
        `Rounds answers at ${url},${console} reference pages at ${url}/docs, health at ${adminUrl}/readyz.`,
      ),
    )
    const signal = await signalled
    if (signal !== 'SIGINT') {
      announceStop(signal)
      await withinMs(nextSignal(), config.stopDelayMs, () => {})
    }
    await stop(signal)
    return ''
  },
})

type Started = Serving & { signalled: Promise<NodeJS.Signals> }

/**
 * In this process, or in several, which have a primary that never loads the server itself. Signals are awaited before the line that
 * others wait for: they may send one as soon as they read it.
 */
async function start(config: ServeConfig, output: NodeJS.WritableStream): Promise<Started | undefined> {
  if (config.processes === 1) {
    const { serve } = await import('../server/serve.ts')
    // Until it serves, a signal ends it at once.
    return { ...(await serve(config)), signalled: nextSignal(['SIGTERM', 'SIGINT', 'SIGHUP']) }
  }
  const { servePrimary } = await import('../server/processes/primary.ts')
  // Before the first process is started, which it would leave behind.
  const signalled = nextSignal()
  const log = (level: 'info' | 'warn', message: string, fields?: object) =>
    void output.write(jsonLine(level, message, { pid: process.pid, ...fields }))
  const serving = await servePrimary(config, log, signalled)
  return serving && { ...serving, signalled }
}

/** A line for each of these settings: its name, its meaning and its default. */
function helpOf(isWanted: (setting: Setting) => boolean): string {
  return Object.entries<Setting>(SETTINGS)
    .filter(([, setting]) => isWanted(setting))
    .map(([name, setting]) => {
      const byDefault =
        setting.default === undefined ? '' : ` (${setting.default === '' ? 'none' : setting.default})`
      // A name that does not fit its column has a line of its own.
      const column = name.length < 26 ? name.padEnd(26) : `${name}\n${''.padEnd(28)}`
      return `  ${column}${setting.meaning}${byDefault}\n`
    })
    .join('')
}
