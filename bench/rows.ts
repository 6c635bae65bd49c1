// Every figure of the bench: what of ours is measured, against what, and the ratio that it should reach.
import { writeFileSync } from 'node:fs'
import { cpuSecondsOf } from './cpu.ts'
import { BARE_INSERT, bareSelect, FIRST_S, SPACING_S, secondsOfCopy } from './data.ts'
import { loadBare, loadHttp, type Measured } from './loads.ts'
import type { Stage } from './stage.ts'

export type Row = {
  name: string
  bar: number | null
  ours: () => Promise<Measured>
  reference: () => Promise<Measured>
}

const ADD = '/casesheet/readings/add'
const GET = '/casesheet/readings/get'
const HISTORY = { patients: 100, each: 10_000 }

export async function prepareRows(stage: Stage, seconds: number): Promise<Row[]> {
  const { dir, databaseUrl } = stage
  const senders = await stage.writeTokens(
    'senders',
    Array.from({ length: 10_000 }, (_, index) => `add-${index}`),
  )
  const readers = await stage.writeTokens(
    'readers',
    Array.from({ length: HISTORY.patients }, (_, index) => `get-${index}`),
  )
  const [first, second] = [
    await stage.startServer(['src/cli.ts', 'serve']),
    await stage.startServer(['src/cli.ts', 'serve']),
  ]
  for (const { url } of [first, second]) {
    for (const tokens of [senders, readers]) await stage.introduceTokens(url, tokens)
  }
  const express = await stage.startServer(['bench/yardstick.ts'])
  const constant = await startConstant()

  const ranges = (readings: number) => ({ READINGS: readings, HISTORY: HISTORY.each, SPACING_S, FIRST_S })
  const add = (url: string, connections = 64) =>
    loadHttp({ script: 'add', url: url + ADD, tokens: senders, seconds, connections })
  const get = (url: string, readings: number, connections = 64) =>
    loadHttp({
      script: 'get',
      url: url + GET,
      tokens: readers,
      seconds,
      connections,
      settings: ranges(readings),
    })
  const list = (url: string, path: string) =>
    loadHttp({ script: 'get', url: url + path, tokens: senders, seconds })
  const mixed = (delayMs: number) =>
    loadHttp({
      script: 'mixed',
      url: first.url,
      tokens: readers,
      seconds,
      settings: { ...ranges(20), DELAY_MS: delayMs },
    })
  const bare = (script: string) => loadBare({ databaseUrl, dir, script, seconds })

  /** The same answers as ours, from a Fastify that does nothing else. */
  async function startConstant() {
    const token = /^\S+ (\S+)/.exec(await stage.read(senders))?.[1]
    const routes: string[] = []
    for (const [index, path] of DIRECTORY.entries()) {
      const answer = await fetch(first.url + path, { headers: { authorization: `Bearer ${token}` } })
      const file = `${dir}/answer-${index}.json`
      writeFileSync(file, await answer.text())
      routes.push(`${path.split('?')[0]} ${file}`)
    }
    writeFileSync(`${dir}/routes`, routes.join('\n'))
    return stage.startServer(['bench/bare-fastify.ts'], { ROUTES: `${dir}/routes` })
  }

  let fastestMixed = 0
  return [
    {
      name: 'add, one reading a request / pgbench',
      bar: 1,
      ours: () => add(first.url),
      reference: () => bare(BARE_INSERT),
    },
    {
      name: 'add, 1,000 a request (readings) / COPY',
      bar: 0.4,
      async ours() {
        const load = {
          script: 'add',
          url: first.url + ADD,
          tokens: senders,
          seconds,
          connections: 4,
        } as const
        const measured = await loadHttp({ ...load, settings: { READINGS: 1_000 } })
        return { ...measured, perSecond: measured.perSecond * 1_000 }
      },
      async reference() {
        const rows = 40_000 * seconds
        return { perSecond: rows / (await secondsOfCopy(stage, rows)), p50Ms: Number.NaN, p99Ms: Number.NaN }
      },
    },
    ...[1, 20, 100].map((readings) => ({
      name: `get of ${readings} / the bare select`,
      bar: readings === 1 ? 0.4 : 0.5,
      ours: () => get(first.url, readings),
      reference: () => bare(bareSelect('get-', { ...HISTORY, readings })),
    })),
    ...DIRECTORY.map((path, index) => ({
      name: `${index === 0 ? 'specialities' : 'doctors by speciality'} / the same bytes from bare Fastify`,
      bar: index === 0 ? 0.9 : null,
      ours: () => list(first.url, path),
      reference: () => list(constant.url, path),
    })),
    {
      name: 'add / Express, one statement a request',
      bar: 5,
      ours: () => add(first.url),
      reference: () => add(express.url),
    },
    {
      name: 'get of 20 / Express',
      bar: 4,
      ours: () => get(first.url, 20),
      reference: () => get(express.url, 20),
    },
    {
      name: 'a lone add (p50 of Express / ours)',
      bar: 0.9,
      ours: () => add(first.url, 1),
      reference: () => add(express.url, 1),
    },
    {
      name: 'a lone get of 20 (p50 of Express / ours)',
      bar: 0.9,
      ours: () => get(first.url, 20, 1),
      reference: () => get(express.url, 20, 1),
    },
    {
      name: 'add, two processes / one',
      bar: null,
      async ours() {
        const [a, b] = await Promise.all([add(first.url, 32), add(second.url, 32)])
        return {
          perSecond: a.perSecond + b.perSecond,
          p50Ms: Math.max(a.p50Ms, b.p50Ms),
          p99Ms: Math.max(a.p99Ms, b.p99Ms),
        }
      },
      reference: () => add(first.url),
    },
    {
      name: 'mixed (80 add, 15 get, 5 list), at half the rate / at the fastest',
      bar: null,
      ours: () => mixed((64 / (fastestMixed / 2)) * 1_000),
      async reference() {
        const measured = await mixed(0)
        fastestMixed = measured.perSecond
        return measured
      },
    },
    ...(['add', 'get of 20'] as const).map((what) => ({
      name: `CPU µs of a request, ours / PostgreSQL's: ${what}`,
      bar: null,
      ours: () => cpuOf(what, first.pid),
      reference: () => cpuOf(what, stage.postgresPid),
    })),
  ]

  /** CPU microseconds that a process and its children spend on one request. */
  async function cpuOf(what: 'add' | 'get of 20', pid: number): Promise<Measured> {
    const before = cpuSecondsOf(pid)
    const { perSecond } = what === 'add' ? await add(first.url) : await get(first.url, 20)
    const micros = ((cpuSecondsOf(pid) - before) / (perSecond * seconds)) * 1e6
    return { perSecond: micros, p50Ms: Number.NaN, p99Ms: Number.NaN }
  }
}

const DIRECTORY = [
  '/appointments/doctors/specialities/list',
  '/appointments/doctors/list?specialityId=bench-7&limit=20',
]

export { HISTORY }
