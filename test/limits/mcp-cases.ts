// Tools of the Model Context Protocol on the largest patients, and messages with as much in them as fits.
import type { Callers, Case } from './case.ts'

const HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' }
const YEAR = { from: '2025-01-01T00:00:00Z', to: '2025-12-31T23:59:59Z' }

const message = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
const call = (name: string, sent: object) => message('tools/call', { name, arguments: sent })

type Row = [input: string, caller: keyof Callers, body: () => string, status: number]

const ROWS: Row[] = [
  ['tools/list', 'anyone', () => message('tools/list', {}), 200],
  ['200 readings', 'small', () => call('get_readings', { limit: 200 }), 200],
  ['readings of 64 KiB', 'large', () => call('get_readings', { limit: 200 }), 200],
  ['readings of quotes', 'quoted', () => call('get_readings', { limit: 200 }), 200],
  ['the latest of many types', 'types', () => call('latest_readings', {}), 200],
  ['the latest of large readings', 'large', () => call('latest_readings', {}), 200],
  [
    'statistics of 5,000 hours',
    'year',
    () =>
      call('reading_statistics', {
        ...YEAR,
        to: '2025-07-27T00:00:00Z',
        readingType: 'bloodGlucose',
        bucket: 'hour',
      }),
    200,
  ],
  ['a report of a year', 'year', () => call('report_glucose', YEAR), 200],
  ['100 doctors', 'anyone', () => call('list_doctors', { limit: 100 }), 200],
  ['50 patients of a doctor', 'doctor', () => call('list_my_patients', { limit: 50 }), 200],
  [
    '30,000 levels',
    'small',
    () => call('get_readings', {}).replace('{}', `${'['.repeat(30_000)}${']'.repeat(30_000)}`),
    400,
  ],
  [
    '64 KB of wrong arguments',
    'small',
    () =>
      call(
        'get_readings',
        Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`f${n}`.padEnd(60, 'x'), n])),
      ),
    200,
  ],
  ['a list of messages', 'small', () => `[${Array(600).fill(message('ping', {})).join()}]`, 400],
  ['4 MiB', 'small', () => message('ping', { x: 'x'.repeat(4 * 1_024 * 1_024 - 100) }), 413],
  ['64 KiB without a token', 'nobody', () => message('ping', { x: 'x'.repeat(65_000) }), 401],
]

export function mcpCases(callers: Callers): Case[] {
  return ROWS.map(([input, caller, body, status]) => ({
    operation: 'MCP',
    input,
    status,
    make: () => ({ path: '/mcp', headers: { ...callers[caller], ...HEADERS }, body: Buffer.from(body()) }),
  }))
}
