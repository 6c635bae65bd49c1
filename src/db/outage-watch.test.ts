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

for (const everyMs of [100, 500, 3_000, 30_000, 70_000, 300_000]) {
  test(`a failure of some requests every ${everyMs} ms is at most two lines in a minute`, async (t) => {
    const time = startVirtualTime(t)
    const { lines, watch } = startWatch()
    await forAnHour(time, everyMs, () =>
      watch.failed({ error: withCode('42501'), stage: 'statement', startedAt: performance.now() }),
    )
    watch.stop()
    assert.ok(
      lines.length > 0 && lines.length <= Math.min(120, (2 * HOUR_MS) / everyMs),
      String(lines.length),
    )
    // Where it fails all the time, it is one outage.
    if (everyMs <= 500)
      assert.deepEqual(
        lines.map(({ message }) => message),
        ['the database is unavailable'],
      )
    if (everyMs <= 30_000) assert.ok(lines.length <= 11, String(lines.length))
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

test('the duration is from the first attempt that failed to the first check that succeeded', async (t) => {
  const time = startVirtualTime(t)
  let isAway = true
  const { lines, watch } = startWatch(async () => {
    if (!isAway) return undefined
    const error = withCode('ECONNREFUSED')
    watch.failed({ error, stage: 'connect', startedAt: performance.now() })
    throw error
  })
  await watch.canServe().catch(() => {})
  while (time.now() < 30_000) await time.step()
  isAway = false
  while (watch.current()) await time.step()
  assert.deepEqual(lines, [
    {
      message: 'the database is unavailable',
      code: 'ECONNREFUSED',
      reason: 'invented ECONNREFUSED',
      seconds: 0,
    },
    { message: 'the database is available again', code: 'ECONNREFUSED', seconds: 31 },
  ])
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
