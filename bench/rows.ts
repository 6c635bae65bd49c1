// Every figure of the bench: what of ours is measured, against what, and the ratio that it should reach.
import { writeFileSync } from 'node:fs'
import { bareEngine } from './bare.ts'
import { cpuSecondsOf } from './cpu.ts'
import { loadGrants } from './data.ts'
import { loadsOn, type Tokens } from './http-loads.ts'
import type { Measured } from './loads.ts'
import { NEW_PAGES, writeNewPages, writePagesOfPatients } from './pages.ts'
import type { Database, Stage } from './stage.ts'
import { walRows } from './wal.ts'

export type Row = {
  name: string
  bar: number | null
  /** Compared by this cost, of which less is better, and not by the rate. */
  by?: 'p50Ms' | 'p99Ms' | 'bytes'
  /** Does not depend on how busy the machine is: to miss the bar is a failure, however narrowly. */
  isExact?: boolean
  /** Left out by --short, which runs nightly. */
  isLong?: boolean
  ours: () => Promise<Measured>
  reference: () => Promise<Measured>
}

const ALL_MODULES = 'appointments,casesheet,care,fhir'

type Setting = { stage: Stage; database: Database; tokens: Tokens; seconds: number }

/** A server of ours on a database, which has seen every token; of another release where a directory is named. */
export async function startOurs(
  { stage, database, tokens }: Pick<Setting, 'stage' | 'database'> & { tokens: Partial<Tokens> },
  { dir, modules = ALL_MODULES }: { dir?: string | undefined; modules?: string } = {},
) {
  // A release before may not know every module.
  const environment = dir === undefined ? { MODULES: modules } : {}
  const server = await stage.startServer(
    ['src/cli.ts', 'serve'],
    { DATABASE_URL: database.url, ...environment },
    dir,
  )
  for (const file of Object.values(tokens)) await stage.introduceTokens(server.url, file)
  return server
}

/** Readings against the bare engine, which is what must not change as they grow in number. */
export function readingsRows({ stage, database, tokens, seconds }: Setting, url: string): Row[] {
  const { add, addThousands, get } = loadsOn(tokens, seconds)
  const bare = bareEngine(stage, database, seconds)
  return [
    {
      name: 'add, one reading a request / pgbench',
      bar: 1,
      ours: () => add(url),
      reference: bare.insert,
    },
    {
      name: 'add, 1,000 a request (readings) / COPY',
      bar: 0.4,
      ours: () => addThousands(url),
      reference: bare.copy,
    },
    ...[1, 20, 100].map((readings) => ({
      name: `get of ${readings} / the bare select`,
      bar: readings === 1 ? 0.4 : 0.5,
      ours: () => get(url, readings),
      reference: () => bare.select(readings),
    })),
  ]
}

/** Operations that must be quick however much there is of a patient, against the bare statement in the same run. */
function longHistoryRows({ stage, database, tokens, seconds }: Setting, url: string): Row[] {
  const { latest, statistics } = loadsOn(tokens, seconds)
  const { loneLatest, loneStatistics } = bareEngine(stage, database, seconds)
  return [
    {
      name: 'a lone latest, of 100,000 readings (time of the bare select / ours)',
      // Ours goes through HTTP and commits its access-log row.
      bar: 0.2,
      by: 'p50Ms',
      ours: () => latest(url),
      reference: loneLatest,
    },
    {
      name: 'lone statistics of 90 days, of 100,000 readings (time of the bare select / ours)',
      bar: 0.4,
      by: 'p50Ms',
      ours: () => statistics(url),
      reference: loneStatistics,
    },
  ]
}

/** What a doctor reads by a grant costs little more than what the patient reads; and the doctor's list of patients. */
async function doctorRows({ stage, database, tokens, seconds }: Setting, url: string): Promise<Row[]> {
  const { get, getAsDoctor, listPatients } = loadsOn(tokens, seconds)
  await loadGrants(database)
  const pages = `${stage.dir}/pages-of-patients`
  await writePagesOfPatients(pages, url, await tokenIn(stage, tokens.doctors))
  return [
    ...[1, 20].map((readings) => ({
      name: `get of ${readings} by a doctor / by the patient`,
      bar: 0.9,
      isLong: readings > 1,
      ours: () => getAsDoctor(url, readings),
      reference: () => get(url, readings),
    })),
    {
      name: `a page of 100 of 10,000 patients (${MAX_PAGE_OF_PATIENTS_MS} ms / p99 of ours)`,
      bar: 1,
      by: 'p99Ms',
      ours: () => listPatients(url, pages),
      reference: async () => ({
        perSecond: Number.NaN,
        p50Ms: Number.NaN,
        p99Ms: MAX_PAGE_OF_PATIENTS_MS,
      }),
    },
  ]
}

const MAX_PAGE_OF_PATIENTS_MS = 50

async function tokenIn(stage: Stage, file: string): Promise<string> {
  return /^\S+ (\S+)/.exec(await stage.read(file))?.[1] ?? ''
}

const DIRECTORY = [
  { what: 'specialities', bar: 0.7, path: '/appointments/doctors/specialities/list' },
  {
    what: 'doctors by speciality, requested before',
    bar: 0.5,
    path: '/appointments/doctors/list?specialityId=bench-7&limit=20',
  },
]
/** Pages a second that were never requested before, which the bar of those rows is a share of. */
const NEW_PAGES_PER_SECOND = 4_000
/** More than these cores answer: where none is left, requests fail. */
const MAX_NEW_PAGES_PER_SECOND = 15_000

export async function prepareRows(setting: Setting): Promise<Row[]> {
  const { stage, database, tokens, seconds } = setting
  const first = await startOurs(setting)
  let second: typeof first | undefined
  const express = await stage.startServer(['bench/yardstick.ts'], { DATABASE_URL: database.url })
  const constant = await startConstant()
  const { add, get, list, mixed, newPages, observe, search } = loadsOn(tokens, seconds)
  let fastestMixed = 0

  return [
    ...readingsRows(setting, first.url),
    ...(await doctorRows(setting, first.url)),
    ...longHistoryRows(setting, first.url),
    ...walRows(stage),
    ...DIRECTORY.map(({ what, bar, path }) => ({
      name: `${what} / the same bytes from bare Fastify`,
      bar,
      ours: () => list(first.url, path),
      reference: () => list(constant.url, path),
    })),
    ...NEW_PAGES.map((by) => ({
      name: `doctors by ${by}, never requested before / ${NEW_PAGES_PER_SECOND} a second`,
      // It should reach 1, on a quiet machine: a rate is no ratio that a busy one keeps.
      bar: null,
      ours() {
        const file = `${stage.dir}/new-pages`
        writeNewPages(file, by, MAX_NEW_PAGES_PER_SECOND * seconds)
        return newPages(first.url, file)
      },
      reference: async () => ({ perSecond: NEW_PAGES_PER_SECOND, p50Ms: Number.NaN, p99Ms: Number.NaN }),
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
      name: 'FHIR: Observation search of 20 / readings/get of 20',
      bar: 0.5,
      ours: () => search(first.url, 20),
      reference: () => get(first.url, 20),
    },
    {
      name: 'FHIR: POST Observation / readings/add',
      bar: 0.6,
      ours: () => observe(first.url),
      reference: () => add(first.url),
    },
    {
      name: 'a lone add (p50 of Express / ours)',
      bar: 0.9,
      by: 'p50Ms',
      ours: () => add(first.url, 1),
      reference: () => add(express.url, 1),
    },
    {
      name: 'a lone get of 20 (p50 of Express / ours)',
      bar: 0.9,
      by: 'p50Ms',
      ours: () => get(first.url, 20, 1),
      reference: () => get(express.url, 20, 1),
    },
    {
      name: 'add, two processes / one',
      bar: null,
      async ours() {
        second ??= await startOurs(setting)
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
      ours: () => mixed(first.url, (64 / (fastestMixed / 2)) * 1_000),
      async reference() {
        const measured = await mixed(first.url, 0)
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

  /** The same answers as ours, from a Fastify that does nothing else. */
  async function startConstant() {
    const token = await tokenIn(stage, tokens.senders)
    const routes: string[] = []
    for (const [index, { path }] of DIRECTORY.entries()) {
      const answer = await fetch(first.url + path, { headers: { authorization: `Bearer ${token}` } })
      const file = `${stage.dir}/answer-${index}.json`
      writeFileSync(file, await answer.text())
      routes.push(`${path.split('?')[0]} ${file}`)
    }
    writeFileSync(`${stage.dir}/routes`, routes.join('\n'))
    return stage.startServer(['bench/bare-fastify.ts'], { ROUTES: `${stage.dir}/routes` })
  }

  /** CPU microseconds that a process and its children spend on one request. */
  async function cpuOf(what: 'add' | 'get of 20', pid: number): Promise<Measured> {
    const before = cpuSecondsOf(pid)
    const { perSecond } = what === 'add' ? await add(first.url) : await get(first.url, 20)
    const micros = ((cpuSecondsOf(pid) - before) / (perSecond * seconds)) * 1e6
    return { perSecond: micros, p50Ms: Number.NaN, p99Ms: Number.NaN }
  }
}
