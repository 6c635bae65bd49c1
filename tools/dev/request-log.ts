// The server's log as a developer wants it: a line for each answer, with the path and the code of a refusal, and warnings and
// errors. A query string is never shown: it is where patients stand.
import type { Output } from './steps.ts'

const WARNING = 40
const ERROR = 50

export type RequestLog = ReturnType<typeof showRequests>

/**
 * The requests of the start itself are not shown, and once all is being stopped, connections are cut on purpose: nothing more
 * is shown.
 */
export function showRequests(output: Output, stopping: AbortSignal) {
  let hasBegun = false
  return {
    write(line: string) {
      const text = !hasBegun || stopping.aborted ? undefined : describe(JSON.parse(line))
      if (text) output.write(`${text}\n`)
    },
    begin() {
      hasBegun = true
    },
  }
}

type LogLine = {
  level: number
  msg?: string
  method?: string
  route?: string
  path?: string
  status?: number
  code?: string
  ms?: number
}

function describe({ level, msg = '', ...fields }: LogLine): string | undefined {
  const { method, route, path, status, code, ms } = fields
  if (status !== undefined) {
    const time = ms === undefined ? [] : [ms, 'ms']
    return [method, path ?? route, status, code, ...time].filter((part) => part !== undefined).join(' ')
  }
  if (level < WARNING) return undefined
  return `${level < ERROR ? 'Warning' : 'Error'}: ${msg} ${JSON.stringify(fields)}`
}
