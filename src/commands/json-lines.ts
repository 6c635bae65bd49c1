// What a command says whose output is a log: lines of JSON in the shape of pino's, also for what Node would print as text. Two
// things stay text: what Node says before the program is loaded, and when it aborts because memory has run out.
import { codeOf } from '../error-code.ts'

const LEVELS = { info: 30, warn: 40, fatal: 60 } as const

/** How a command speaks to people or to a log. */
export type Say = (level: keyof typeof LEVELS, text: string) => void

export function jsonLine(level: keyof typeof LEVELS, msg: string, fields: object = {}): string {
  return `${JSON.stringify({ level: LEVELS[level], time: Date.now(), ...fields, msg })}\n`
}

/** From now on every line of this process is JSON. */
export function sayInJson(): Say {
  const write = (...line: Parameters<typeof jsonLine>) => void process.stderr.write(jsonLine(...line))
  // Node's own listener prints warnings as text.
  process.removeAllListeners('warning')
  process.on('warning', (warning) =>
    write('warn', warning.message, { warning: warning.name, code: codeOf(warning) || undefined }),
  )
  process.on('uncaughtException', (error: unknown) => {
    write('fatal', 'a fault of ours ends the process', placeOf(error))
    process.exit(1)
  })
  return (level, text) => write(level, text)
}

/** Messages may hold values of a row or a body, so only the kind and the place are logged. */
function placeOf(error: unknown): object {
  if (!(error instanceof Error)) return { fault: typeof error }
  const at = error.stack?.split('\n').filter((line) => line.startsWith('    at '))
  return { fault: error.name, code: codeOf(error) || undefined, at }
}
