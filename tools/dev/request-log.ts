// The server's log as a developer wants it: a line for each answer, and whatever is worse. The server chooses the fields
// and names routes, never people; this only sets them out.
import type { Output } from './steps.ts'

const WARNING = 40
const ERROR = 50

export type RequestLog = ReturnType<typeof showRequests>

/** Once all is being stopped, connections are cut on purpose: nothing more is shown. */
export function showRequests(output: Output, stopping: AbortSignal) {
  return {
    write(line: string) {
      const text = stopping.aborted ? undefined : describe(JSON.parse(line))
      if (text) output.write(`${text}\n`)
    },
  }
}

type LogLine = { level: number; msg?: string; [field: string]: unknown }

function describe({ level, msg = '', ...fields }: LogLine): string | undefined {
  const { method, route, status, ms } = fields
  if (status !== undefined) return [method, route, status, ms, 'ms'].join(' ')
  if (level < WARNING) return undefined
  return `${level < ERROR ? 'Warning' : 'Error'}: ${msg} ${JSON.stringify(fields)}`
}
