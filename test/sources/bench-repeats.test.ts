// What the bench does on a machine that stands still for seconds: it measures again, and only fails for what stays.
import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { figureOf, hasCollapsed } from '../../bench/figures.ts'
import { loadBare, loadHttp } from '../../bench/loads.ts'
import { measureFigures } from '../../bench/rounds.ts'

test('a row that looks collapsed is measured again and counts by what is seen then', async () => {
  const [row, measured] = rowWithRates([10, 10, 10, 90])
  const [figure] = await measureFigures([row], 1, () => {})
  assert.ok(figure && !hasCollapsed(figure))
  assert.equal(measured(), 4)
})

test('a row has collapsed when it looks so every time', async () => {
  const [row, measured] = rowWithRates([10, 10, 10, 10, 90])
  const [figure] = await measureFigures([row], 1, () => {})
  assert.ok(figure && hasCollapsed(figure))
  assert.equal(measured(), 4)
})

test('a row is measured once when it looks sound', async () => {
  const [row, measured] = rowWithRates([90, 10])
  await measureFigures([row], 1, () => {})
  assert.equal(measured(), 1)
})

test('where the host withheld CPU, a row counts by the CPU of a request if that is better', () => {
  const rate = (perSecond: number) => ({ perSecond, p50Ms: 1, p99Ms: 1 })
  const rounds = [{ ours: rate(10), reference: rate(100) }]
  const row = { name: 'a row', bar: 1 }
  const starved = (ratioOfCpu: number) =>
    figureOf(
      row,
      rounds.map((round) => ({ ...round, ratioOfCpu })),
    )
  assert.deepEqual([figureOf(row, rounds), starved(0.9), starved(0.4)].map(hasCollapsed), [true, false, true])
})

test('what does not depend on the machine must reach its bar, and not only half of it', () => {
  const bytes = (count: number) => ({ bytes: count, perSecond: Number.NaN, p50Ms: 1, p99Ms: 1 })
  const figure = (ours: number) =>
    figureOf({ name: 'bytes', bar: 1, by: 'bytes', isExact: true }, [
      { ours: bytes(ours), reference: bytes(1_000) },
    ])
  assert.deepEqual([figure(1_000), figure(1_001), figure(Number.NaN)].map(hasCollapsed), [false, true, true])
  assert.equal(figure(800).ours, 800)
})

function rowWithRates(rates: number[]) {
  let times = 0
  const rate = (perSecond: number) => Promise.resolve({ perSecond, p50Ms: 1, p99Ms: 1 })
  const ours = () => rate(rates[times++] ?? Number.NaN)
  return [{ name: 'a row', bar: 1, ours, reference: () => rate(100) }, () => times] as const
}

// The tools of the loads are looked for here first.
const dir = await mkdtemp(join(tmpdir(), 'rounds-bench-'))
process.env['PATH'] = `${dir}:${process.env['PATH']}`
after(() => rm(dir, { recursive: true }))

const NOTHING = 'number of transactions actually processed: 0\nnumber of failed transactions: 0 (NaN%)'

const bare = () => loadBare({ databaseUrl: 'unused', dir, script: 'select 1', seconds: 2 })
const http = () => loadHttp({ script: 'add', url: 'http://unused', tokens: 'unused', seconds: 2 })

test('a load of pgbench in which nothing was answered is run again', async () => {
  tool('pgbench', { first: NOTHING, later: 'latency average = 2.5 ms\ntps = 400.5 (without)', from: 3 })
  assert.deepEqual(await bare(), { perSecond: 400.5, p50Ms: 2.5, p99Ms: Number.NaN })
})

test('a load of pgbench in which nothing was answered three times is an error', async () => {
  tool('pgbench', { first: NOTHING, later: 'tps = 400.5', from: 4 })
  await assert.rejects(bare(), /3 times in a row: pgbench: .*the machine stood still/)
})

test('a load of wrk in which nothing was answered, or requests failed, is run again', async () => {
  for (const first of ['RESULT 0 2000000 0 0 0', 'RESULT 90 2000000 3 500 900']) {
    tool('wrk', { first, later: 'RESULT 500 2000000 0 500 900', from: 3 })
    assert.deepEqual(await http(), { perSecond: 250, p50Ms: 0.5, p99Ms: 0.9 })
  }
})

test('a load of wrk in which requests fail three times is an error', async () => {
  tool('wrk', { first: 'RESULT 90 2000000 3 500 900', later: 'RESULT 500 2000000 0 500 900', from: 4 })
  await assert.rejects(http(), /3 times in a row: add at .*: 3 of 90 requests failed/)
})

/** A program of that name that says one thing at first, and another from the nth time on. */
function tool(name: string, { first, later, from }: { first: string; later: string; from: number }) {
  const file = join(dir, name)
  writeFileSync(`${file}.times`, '')
  writeFileSync(
    file,
    `#!/bin/sh\nprintf x >>'${file}.times'\nif [ "$(wc -c <'${file}.times')" -lt ${from} ]; then echo '${first}'; else echo '${later}'; fi\n`,
  )
  chmodSync(file, 0o755)
}
