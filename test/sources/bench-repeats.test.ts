// What the bench does before it says a figure: it warms up, measures again on a machine that stands still for seconds, fails for what
// stays, and has no figure of requests that were refused.
import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { figureOf, hasCollapsed, printTable, printTargets } from '../../bench/figures.ts'
import { loadBare, loadHttp, type Measured, NoFigureError } from '../../bench/loads.ts'
import { measureFigures } from '../../bench/rounds.ts'
import { isSteady, MAX_WINDOWS, warmUp } from '../../bench/steady.ts'
import { findProgram } from '../../tools/dev/find-program.ts'

/** Windows of warming up are shorter. */
const SECONDS = 2
const ONCE = { rounds: 1, seconds: SECONDS, say: () => {} }

test('a row that looks collapsed is measured again and counts by what is seen then', async () => {
  const [row, measured] = rowWithRates([10, 10, 10, 90])
  const [figure] = await measureFigures([row], ONCE)
  assert.ok(figure && !hasCollapsed(figure))
  assert.equal(measured(), 4)
})

test('a row has collapsed when it looks so every time', async () => {
  const [row, measured] = rowWithRates([10, 10, 10, 10, 90])
  const [figure] = await measureFigures([row], ONCE)
  assert.ok(figure && hasCollapsed(figure))
  assert.equal(measured(), 4)
})

test('a row is measured once when it looks sound', async () => {
  const [row, measured] = rowWithRates([90, 10])
  await measureFigures([row], ONCE)
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
  const rate = (perSecond: number): Promise<Measured> => Promise.resolve({ perSecond, p50Ms: 1, p99Ms: 1 })
  const ours = (seconds: number) => rate(seconds === SECONDS ? (rates[times++] ?? Number.NaN) : 50)
  return [{ name: 'a row', bar: 1, ours, reference: () => rate(100) }, () => times] as const
}

test('a load is steady when three windows in a row cost the same and do not still fall', () => {
  const cases: [costs: number[], expected: boolean][] = [
    [[], false],
    [[100, 100], false],
    [[100, 100, 100], true],
    [[100, 107, 101], true],
    [[100, 109, 101], false],
    [[450, 380, 300, 302, 299], true],
    [[100, 98, 95], false],
    [[100, 99.5, 99], true],
    [[96, 98, 100], true],
    [[100, 100, 100, 120], false],
    [[Number.NaN, Number.NaN, Number.NaN], false],
  ]
  for (const [costs, expected] of cases) assert.equal(isSteady(costs), expected, String(costs))
})

test('warming up goes by the CPU of a request, ends when that is steady, and ends at all', async () => {
  const falling = loadWithCosts([450, 400, 350, 300, 303, 301, 500])
  assert.equal(await warmUp(falling.load), true)
  assert.equal(falling.windows(), 6)
  const restless = loadWithCosts(Array.from({ length: 50 }, (_, nth) => (nth % 2 === 0 ? 100 : 200)))
  assert.equal(await warmUp(restless.load), false)
  assert.equal(restless.windows(), MAX_WINDOWS)
})

test('a row that was not steady is measured, and the table says so', async () => {
  const { load } = loadWithCosts(Array.from({ length: 50 }, (_, nth) => (nth % 2 === 0 ? 100 : 200)))
  const figures = await measureFigures([{ name: 'a row', bar: 1, ours: load, reference: load }], ONCE)
  assert.equal(figures[0]?.isSteady, false)
  assert.match(printTable(figures), /a row \*.*not steady/s)
})

test('the table shows the CPU of both sides, and the summary which targets are missed', async () => {
  const { load: ours } = loadWithCosts(Array<number>(50).fill(110))
  const reference = async () => ({ perSecond: 10, p50Ms: 1, p99Ms: 1, cpuUs: { server: 0, postgres: 40 } })
  const row = { name: 'a row', bar: 3, ours, reference }
  const figures = await measureFigures([row, { ...row, name: 'met', bar: 0.5 }], ONCE)
  assert.match(printTable(figures), /\| 10 \+ 100 \| +40 \|/)
  assert.equal(printTargets(figures), 'Targets met: 1 of 2.\nMissed:\n- a row: 1.00, should be 3.00')
})

test('a row that cannot be measured has no figure, and the others are measured', async () => {
  const [sound] = rowWithRates([90])
  const refuse = () => Promise.reject(new NoFigureError('3 of 90 requests were refused. The first: 401 {}'))
  const figures = await measureFigures([{ ...sound, name: 'refused', ours: refuse }, sound], ONCE)
  assert.deepEqual(
    figures.map(({ fault, ratio }) => [fault, ratio]),
    [
      ['3 of 90 requests were refused. The first: 401 {}', Number.NaN],
      [null, 0.9],
    ],
  )
  assert.match(printTable(figures), /\| refused +\|.*\| no figure \|/)
  assert.match(printTargets(figures), /- refused: no figure\. .*401/)
})

/** Requests of which each takes so many microseconds in PostgreSQL, and ten in the server. */
function loadWithCosts(costs: number[]) {
  let windows = 0
  const load = async () => {
    const cpuUs = { server: 10, postgres: (costs[windows++] ?? Number.NaN) - 10 }
    return { perSecond: 10, p50Ms: 1, p99Ms: 1, cpuUs }
  }
  return { load, windows: () => windows }
}

const WRK = findProgram('wrk') ?? 'wrk'
// The tools of the loads are looked for here first.
const dir = await mkdtemp(join(tmpdir(), 'rounds-bench-'))
process.env['PATH'] = `${dir}:${process.env['PATH']}`
after(() => rm(dir, { recursive: true }))

const NOTHING = 'number of transactions actually processed: 0\nnumber of failed transactions: 0 (NaN%)'

const pids = { postgres: process.pid }
const bare = () => loadBare({ databaseUrl: 'unused', dir, script: 'select 1', pids })(SECONDS)
const http = () => loadHttp({ script: 'add', url: 'http://unused', tokens: 'unused', pids })(SECONDS)

test('a load of pgbench in which nothing was answered is run again', async () => {
  tool('pgbench', { first: NOTHING, later: 'latency average = 2.5 ms\ntps = 400.5 (without)', from: 3 })
  const { cpuUs: _cpuUs, ...measured } = await bare()
  assert.deepEqual(measured, { perSecond: 400.5, p50Ms: 2.5, p99Ms: Number.NaN })
})

test('a load of pgbench in which nothing was answered three times is an error', async () => {
  tool('pgbench', { first: NOTHING, later: 'tps = 400.5', from: 4 })
  await assert.rejects(bare(), /3 times in a row: pgbench: .*the machine stood still/)
})

test('a load of wrk in which nothing was answered, or connections failed, is run again', async () => {
  for (const first of ['RESULT 0 2000000 0 0 0 0', 'RESULT 90 2000000 0 3 500 900']) {
    tool('wrk', { first, later: 'RESULT 500 2000000 0 0 500 900', from: 3 })
    const { cpuUs: _cpuUs, ...measured } = await http()
    assert.deepEqual(measured, { perSecond: 250, p50Ms: 0.5, p99Ms: 0.9 })
  }
})

test('a load of wrk in which connections fail three times is an error', async () => {
  tool('wrk', { first: 'RESULT 90 2000000 0 3 500 900', later: 'RESULT 500 2000000 0 0 500 900', from: 4 })
  await assert.rejects(http(), /3 times in a row: add at .*: 3 of 90 requests failed/)
})

test('wrk says what the first refused request was answered, and nothing is measured', async (t) => {
  process.env['WRK'] = WRK
  t.after(() => delete process.env['WRK'])
  const tokens = join(dir, 'tokens')
  writeFileSync(tokens, 'p-1 token')
  for (const { status, soundRuns } of [
    { status: 401, soundRuns: 0 },
    { status: 304, soundRuns: 0 },
    { status: 429, soundRuns: 1 },
  ]) {
    let runs = 0
    const server = createServer((request, response) => {
      request.resume()
      response.statusCode = runs > soundRuns ? status : 200
      response.end(status === 304 ? undefined : JSON.stringify({ message: `Refused\nwith ${status}.` }))
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    const load = loadHttp({
      script: 'add',
      url: `http://127.0.0.1:${port}/add`,
      tokens,
      pids,
      connections: 2,
    })
    for (runs = 1; runs <= soundRuns; runs++) assert.ok((await load(1)).perSecond > 0)
    const expected = status === 304 ? /first: 304/ : new RegExp(`first: ${status} .*Refused.*with ${status}`)
    await assert.rejects(load(1), (error) => error instanceof NoFigureError && expected.test(error.message))
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
})

/** A program of that name that says one thing at first, and another from the nth time on. Connecting alone does not count. */
function tool(name: string, { first, later, from }: { first: string; later: string; from: number }) {
  const file = join(dir, name)
  writeFileSync(`${file}.times`, '')
  writeFileSync(
    file,
    `#!/bin/sh
case "$*" in *" -t 1 "*) exit ;; esac
printf x >>'${file}.times'
if [ "$(wc -c <'${file}.times')" -lt ${from} ]; then echo '${first}'; else echo '${later}'; fi
`,
  )
  chmodSync(file, 0o755)
}
