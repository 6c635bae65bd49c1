// `rounds serve`.
import { readServeConfig } from '../config/config.ts'
import { SETTINGS, type Setting } from '../config/settings.ts'
import { withinMs } from '../time-limit.ts'
import { defineCommand, mustHaveNoArguments } from './command.ts'
import { jsonLine } from './json-lines.ts'
import { nextSignal } from './signals.ts'

const HELP = `rounds serve: answer requests until SIGTERM or SIGINT.

On SIGTERM, /readyz fails at once; requests are accepted for STOP_DELAY_SECONDS more, so that load balancers can turn
elsewhere; then requests in flight are answered, for at most REQUEST_DEADLINE_SECONDS + 5, and it exits with 0. If
something does not end within 15 s more, the log says what, and it exits with 1.
SIGINT, or a second signal, skips the delay.

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
    const config = readServeConfig(env)
    const { serve } = await import('../server/serve.ts')
    // Until it serves, a signal ends it at once.
    const { url, adminUrl, announceStop, stop } = await serve(config)
    // Before the line that others wait for: they may send a signal as soon as they read it.
    const signalled = nextSignal(['SIGTERM', 'SIGINT', 'SIGHUP'])
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
      await withinMs(nextSignal(['SIGTERM', 'SIGINT']), config.stopDelayMs, () => {})
    }
    await stop(signal)
    return ''
  },
})

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
