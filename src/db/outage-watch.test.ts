// How many lines an outage may cost, whatever fails and however often. The causes themselves: test/database/database-causes.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startVirtualTime } from '../../test/support/virtual-time.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { CAUSE_LABELS, type Cause } from './outage-causes.ts'
import { OutageWatch } from './outage-watch.ts'

const HOUR_MS = 3_600_000

const withCode = (code: string) => Object.assign(new Error(`invented ${code}`), { code })

type Line = { message: string; code?: string; seconds?: number }

function startWatch(check: () => Promise<Cause | undefined> = async () => undefined) {
  const lines: Line[] = []
  const write = (fields: object, message: string) => void lines.push({ message, ...fields })
  const metrics = createMetrics()
  const mustWrite = async () => {}
  const watch = new OutageWatch({ log: { warn: write, error: write }, metrics, check, mustWrite })
  return { lines, metrics, watch }
}

/** Lets something happen again and again for an hour. */
async function forAnHour(time: ReturnType<typeof startVirtualTime>, everyMs: number, happen: () => void) {
  const again = () => {
    happen()
    setTimeout(again, everyMs)
  }
  setTimeout(again, everyMs)
  while (time.now() < HOUR_MS) await time.step()
}

for (const everyMs of [100, 3_000, 30_000]) {
  test(`failures every ${everyMs} ms are one outage, or two lines each where they are rare`, async (t) => {
    const time = startVirtualTime(t)
    const { lines, watch } = startWatch()
    await forAnHour(time, everyMs, () =>
      watch.failed({ error: withCode('42501'), stage: 'statement', startedAt: performance.now() }),
    )
    watch.stop()
    const outages = everyMs < 30_000 ? 1 : HOUR_MS / everyMs
    const begun = lines.filter(({ message }) => message === 'the database is unavailable')
    const ended = lines.filter(({ message }) => message === 'the database is available again')
    assert.equal(begun.length, outages)
    assert.ok(outages - ended.length <= 1, `${ended.length} ended`)
  })
}

test('causes that alternate are logged once in a minute each, also those that no list knows', async (t) => {
  const time = startVirtualTime(t)
  const { lines, watch, metrics } = startWatch()
  let failures = 0
  await forAnHour(time, 100, () => {
    const code = ['28P01', 'ECONNREFUSED', `INVENTED_${failures}`][failures++ % 3] ?? ''
    watch.failed({ error: withCode(code), stage: 'connect', startedAt: performance.now() })
  })
  watch.stop()
  assert.ok(lines.length <= 3 * 61, String(lines.length))
  const series = (await metrics.registry.metrics()).match(/^rounds_database_failures_total\{/gm)
  assert.equal(series?.length, CAUSE_LABELS.length)
})

test('errors about the data of a request, and slow or blocked statements, are no outage', () => {
  const { lines, watch } = startWatch()
  for (const code of [
    '22P02',
    '23505',
    '23514',
    '40001',
    '40P01',
    '55P03',
    '57014',
    '57P01',
    'P0001',
    'ECONNRESET',
  ]) {
    watch.failed({ error: withCode(code), stage: 'statement', startedAt: 0 })
  }
  const noFreeConnection = new Error('timeout exceeded when trying to connect')
  watch.failed({ error: noFreeConnection, stage: 'connect', startedAt: 0 })
  assert.deepEqual(lines, [])
})

test('a text from outside cannot forge a line or fill the log', () => {
  const { lines, watch } = startWatch()
  const error = Object.assign(new Error(`a\nb\u001b[2J${'x'.repeat(10_000)}`), { code: '28P01' })
  watch.failed({ error, stage: 'connect', startedAt: 0 })
  watch.stop()
  const [{ reason } = { reason: '' }] = lines as { reason?: string }[]
  assert.match(String(reason), /^a b \[2Jx+$/)
  assert.ok(String(reason).length <= 300)
})
