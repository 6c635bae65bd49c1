// Every figure of the bench: what of ours is measured, against what, and the ratio that it should reach.
import { writeFileSync } from 'node:fs'
import { bareEngine } from './bare.ts'
import { loadGrants } from './data.ts'
import { loadsOn, type Server, type Tokens } from './http-loads.ts'
import type { Load } from './loads.ts'
import { NEW_PAGES, writeNewPages, writePagesOfPatients } from './pages.ts'
import type { Database, Stage } from './stage.ts'

export type Row = {
  name: string
  bar: number | null
  /** Compared by this cost, of which less is better, and not by the rate. */
  by?: 'p50Ms' | 'p99Ms'
  /** The bar is a rate, which a busy machine does not keep: to miss it is no failure. */
  isRate?: boolean
  /** Left out by --short, which runs nightly. */
  isLong?: boolean
  ours: Load
  reference: Load
}

const ALL_MODULES = 'appointments,casesheet,care,fhir'

type Setting = { stage: Stage; database: Database; tokens: Tokens }

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
export function readingsRows({ stage, database, tokens }: Setting, server: Server): Row[] {
  const { add, addThousands, get } = loadsOn(tokens, stage.postgresPid)
  const bare = bareEngine(stage, database)
  return [
    {
      name: 'add, one reading a request / pgbench',
      bar: 0.85,
      ours: add(server),
      reference: bare.insert,
    },
    {
      name: 'add, 1,000 a request (readings) / COPY',
      bar: 0.4,
      ours: addThousands(server),
      reference: bare.copy,
    },
    ...GETS.map(({ readings, bar }) => ({
      name: `get of ${readings} / the bare select`,
      bar,
      ours: get(server, readings),
      reference: bare.select(readings),
    })),
  ]
}

const GETS = [
  { readings: 1, bar: 0.4 },
  { readings: 20, bar: 0.75 },
  { readings: 100, bar: 0.6 },
]

/** Operations that must be quick however much there is of a patient, against the bare statement in the same run. */
function longHistoryRows({ stage, database, tokens }: Setting, server: Server): Row[] {
  const { latest, statistics } = loadsOn(tokens, stage.postgresPid)
  const { loneLatest, loneStatistics } = bareEngine(stage, database)
  return [
    {
      name: 'a lone latest, of 100,000 readings (time of the bare select / ours)',
      // Ours goes through HTTP and commits its access-log row.
      bar: 0.2,
      by: 'p50Ms',
      ours: latest(server),
      reference: loneLatest,
    },
    {
      name: 'lone statistics of 90 days, of 100,000 readings (time of the bare select / ours)',
      bar: 0.4,
      by: 'p50Ms',
      ours: statistics(server),
      reference: loneStatistics,
    },
  ]
}

/** What a doctor reads by a grant costs little more than what the patient reads; and the doctor's list of patients. */
async function doctorRows({ stage, database, tokens }: Setting, server: Server): Promise<Row[]> {
  const { get, getAsDoctor, listPatients } = loadsOn(tokens, stage.postgresPid)
  await loadGrants(database)
  const pages = `${stage.dir}/pages-of-patients`
  await writePagesOfPatients(pages, server.url, await tokenIn(stage, tokens.doctors))
  return [
    ...[1, 20].map((readings) => ({
      name: `get of ${readings} by a doctor / by the patient`,
      bar: 0.9,
      isLong: readings > 1,
      ours: getAsDoctor(server, readings),
      reference: get(server, readings),
    })),
    {
      name: `a page of 100 of 10,000 patients (${MAX_PAGE_OF_PATIENTS_MS} ms / p99 of ours)`,
      bar: 1,
      by: 'p99Ms',
      ours: listPatients(server, pages),
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
  { what: 'specialities', path: '/appointments/doctors/specialities/list' },
  {
    what: 'doctors, pages requested before',
    path: '/appointments/doctors/list?specialityId=bench-7&limit=20',
  },
]
const BAR_OF_CACHED = 0.7
/** More than these cores answer: where none is left, requests fail. */
const MAX_NEW_PAGES_PER_SECOND = 15_000

export async function prepareRows(setting: Setting, doctors: number): Promise<Row[]> {
  const { stage, database, tokens } = setting
  const first = await startOurs(setting)
  const express = await stage.startServer(['bench/yardstick.ts'], { DATABASE_URL: database.url })
  const constant = await startConstant()
  const { add, get, list, mixed, newPages, observe, search } = loadsOn(tokens, stage.postgresPid)
  const mixedAtOnce = mixed(first, 0)
  let fastestMixed = 0
  const newPagesFile = `${stage.dir}/new-pages`
  const loadNewPages = newPages(first, newPagesFile)

  return [
    ...readingsRows(setting, first),
    ...(await doctorRows(setting, first)),
    ...longHistoryRows(setting, first),
    ...DIRECTORY.map(({ what, path }) => ({
      name: `${what} / bare Fastify`,
      bar: BAR_OF_CACHED,
      ours: list(first, path),
      reference: list(constant, path),
    })),
    ...NEW_PAGES.map(({ by, perSecond }) => ({
      name: `${doctors.toLocaleString('en')} doctors by ${by}, new pages / ${perSecond.toLocaleString('en')} a second`,
      bar: 1,
      isRate: true,
      ours(seconds: number) {
        writeNewPages(newPagesFile, by, MAX_NEW_PAGES_PER_SECOND * seconds)
        return loadNewPages(seconds)
      },
      reference: async () => ({ perSecond, p50Ms: Number.NaN, p99Ms: Number.NaN }),
    })),
    {
      name: 'add / Express, one statement a request',
      bar: 5,
      ours: add(first),
      reference: add(express),
    },
    {
      name: 'get of 20 / Express',
      bar: 4,
      ours: get(first, 20),
      reference: get(express, 20),
    },
    {
      name: 'FHIR: Observation search of 20 / readings/get of 20',
      bar: 0.65,
      ours: search(first, 20),
      reference: get(first, 20),
    },
    {
      name: 'FHIR: POST Observation / readings/add',
      bar: 0.8,
      ours: observe(first),
      reference: add(first),
    },
    {
      name: 'a lone add (p50 of Express / ours)',
      bar: 0.9,
      by: 'p50Ms',
      ours: add(first, 1),
      reference: add(express, 1),
    },
    {
      name: 'a lone get of 20 (p50 of Express / ours)',
      bar: 0.9,
      by: 'p50Ms',
      ours: get(first, 20, 1),
      reference: get(express, 20, 1),
    },
    {
      name: 'mixed (80 add, 15 get, 5 list), at half the rate / at the fastest',
      bar: null,
      ours: (seconds) => mixed(first, (64 / (fastestMixed / 2)) * 1_000)(seconds),
      async reference(seconds) {
        const measured = await mixedAtOnce(seconds)
        fastestMixed = measured.perSecond
        return measured
      },
    },
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
}
