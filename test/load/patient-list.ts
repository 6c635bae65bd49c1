// A doctor's list of patients on two processes: patients who add, a doctor who uses the list in every way, and who waits for what was added.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { untilMade as untilListsAreMade } from '../../bench/patient-list.ts'
import { DURABLE } from '../../bench/stage.ts'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { startThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { AUDIENCE, createDatabase, runSql, startIssuer } from '../support/harness.ts'
import { serveForLoad } from '../support/process.ts'
import { spreadOf } from './figures.ts'
import { runLoad } from './load.ts'
import { DOCTOR, loadPatients, uidOf } from './patients-of-doctor.ts'

const LISTS_PER_SECOND = 6
const PROBES_PER_SECOND = 4
const LOOK_EVERY_MS = 150
const MINUTE_MS = 60_000

const SORTS = ['attention', 'name', 'daysWithData', 'lastReading', 'lastLook']
const FILTERS = [
  'queue=actNow',
  'queue=thisWeek&queue=silent',
  'queue=notJudged',
  'find=invented%20c',
  'limit=100',
]
const QUERIES = [
  ...SORTS.flatMap((sort) => ['asc', 'desc'].map((order) => `sort=${sort}&order=${order}`)),
  ...FILTERS,
]

const GLUCOSE = '"readingType":"interstitialGlucose","value":7.4,"unit":"mmol/L"'
const PRESSURE = '"readingType":"bloodPressure","systolic":128,"diastolic":81'

type List = {
  counts: { all: number }
  data: { patientUid: string; newest: { readingType: string; measuredAt: string }[] }[]
  nextCursor: string | null
}

async function makePatients() {
  const database = await createDatabase()
  await loadPatients(database.ownerUrl, { patients: 100, readings: 2_000, days: 42 })
  return database
}

/** Nothing that is derived is left of an earlier run. */
async function openCluster(dir: string) {
  const postgres = await startThrowawayPostgres(DURABLE, dir)
  after(postgres.stop)
  await migrate(postgres.url)
  await runSql(
    postgres.url,
    `truncate care.patients, care.marks, care.days, care.evidence, care.newest, care.list_looks;
     update casesheet.followers set generation = gen_random_uuid() where name = 'care:list';
     drop role if exists panel_api;
     create role panel_api login in role rounds_server`,
  )
  const serveUrl = Object.assign(new URL(postgres.url), { username: 'panel_api' }).href
  return { ownerUrl: postgres.url, serveUrl }
}

/** On 100 patients with 2,000 readings each, or on those of the cluster that test/load/seed-patients.ts has made in this directory. */
export async function startListStage(dir: string | undefined) {
  const { ownerUrl, serveUrl } = dir === undefined ? await makePatients() : await openCluster(dir)
  const issuer = await startIssuer()
  const settings = {
    DATABASE_URL: serveUrl,
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    // V8 would let garbage grow where there is room; what must last is bounded.
    NODE_OPTIONS: '--max-semi-space-size=8 --max-old-space-size=192',
  }
  const servers = [await serveForLoad(settings), await serveForLoad(settings)] as const
  const [shared] = await runSql<{ count: number }>(
    ownerUrl,
    'select count(*)::integer as count from casesheet.grants where doctor_id = $1',
    [DOCTOR],
  )
  const exp = Math.floor(Date.now() / 1_000) + 7_200
  const doctorToken = await issuer.token({ sub: 'doctor', doctorId: DOCTOR, exp })
  const patients = await Promise.all(
    Array.from({ length: shared?.count ?? 0 }, async (_, number) => {
      const uid = uidOf(number)
      const isOfPressure = number % 10 >= 6 && number % 10 < 9
      const token = await issuer.token({ sub: uid, patientUid: uid, exp })
      return { uid, token, firstS: 0, fields: isOfPressure ? PRESSURE : GLUCOSE }
    }),
  )
  let requests = 0
  /** One process and the other in turn. */
  const nextUrl = () => servers[requests++ % 2 === 0 ? 0 : 1].url

  async function ask(query: string, { etag = '' } = {}) {
    const began = performance.now()
    const answer = await fetch(`${nextUrl()}/care/patients/list?${query}`, {
      headers: { authorization: `Bearer ${doctorToken}`, ...(etag && { 'if-none-match': etag }) },
    })
    const text = await answer.text()
    const tookMs = performance.now() - began
    assert.ok(answer.status === 200 || (etag && answer.status === 304), text)
    const list = (answer.status === 200 ? JSON.parse(text) : undefined) as List | undefined
    return { list, tookMs, etag: answer.headers.get('etag') ?? '', bytes: text.length }
  }
  return { ownerUrl, issuer, servers, patients, doctorToken, nextUrl, ask }
}

type Stage = Awaited<ReturnType<typeof startListStage>>

export const untilMade = ({ ownerUrl, patients }: Stage) =>
  untilListsAreMade({ sql: (text, values) => runSql(ownerUrl, text, values) }, patients.length)

/** Another target for all, by which every patient of the doctor is judged anew. */
export async function judgeAllAnew({ doctorToken, nextUrl }: Stage) {
  const fields = { systolic: { high: 130, actBelow: null, actAbove: 180 }, diastolic: { high: 80 } }
  const answer = await fetch(`${nextUrl()}/care/targets/set`, {
    method: 'POST',
    headers: { authorization: `Bearer ${doctorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ readingType: 'bloodPressure', expectEvery: 'P3D', fields }),
  })
  assert.equal(answer.status, 200, await answer.text())
}

/** Requests as they fall due: each of the queries in turn, then its next page, or the same again with its ETag. */
export async function useList({ ask }: Stage, seconds: number) {
  const times: number[] = []
  const bytes: number[] = []
  const one = async (query: string) => {
    const first = await ask(query)
    const { nextCursor } = first.list ?? { nextCursor: null }
    const second = nextCursor
      ? await ask(`${query}&cursor=${encodeURIComponent(nextCursor)}`)
      : await ask(query, { etag: first.etag })
    times.push(first.tookMs, second.tookMs)
    bytes.push(first.bytes)
  }
  const waiting: Promise<void>[] = []
  const began = performance.now()
  for (let number = 0; number < (seconds * LISTS_PER_SECOND) / 2; number++) {
    await pause(Math.max(0, began + number * (2_000 / LISTS_PER_SECOND) - performance.now()))
    waiting.push(one(QUERIES[(number * 7) % QUERIES.length] ?? ''))
  }
  await Promise.all(waiting)
  return { ...spreadOf(times), bytes: spreadOf(bytes).p50 }
}

const fieldsOf = ({ fields }: Stage['patients'][number]) =>
  JSON.parse(`{${fields}}`) as { readingType: string }

/** Readings of a patient that were measured at these times. */
export async function add(stage: Stage, patient: Stage['patients'][number], times: number[]) {
  const answer = await fetch(`${stage.nextUrl()}/casesheet/readings/add`, {
    method: 'POST',
    headers: { authorization: `Bearer ${patient.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(
      times.map((timestamp) => ({ patientUid: patient.uid, ...fieldsOf(patient), timestamp })),
    ),
  })
  assert.equal(answer.status, 200, await answer.text())
}

/** Adds readings that are newer than all others, and looks for them in the list: how long after the add's answer each is there. */
export async function watchAdds(stage: Stage, seconds: number, patients = stage.patients) {
  const open = new Map<string, { readingType: string; measuredMs: number; answeredAt: number }>()
  const delays: number[] = []
  const see = ({ data }: List) => {
    for (const { patientUid, newest } of data) {
      const added = open.get(patientUid)
      const listed = newest.find(({ readingType }) => readingType === added?.readingType)
      if (!added || !listed || Date.parse(listed.measuredAt) < added.measuredMs) continue
      delays.push(Math.max(0, performance.now() - added.answeredAt))
      open.delete(patientUid)
    }
  }
  const look = async () => {
    const { list } = await stage.ask('sort=lastReading&order=desc&limit=25')
    if (list) see(list)
    // Those who wait for longer are behind others on a later page.
    for (const [uid, { answeredAt }] of open) {
      const waitedMs = performance.now() - answeredAt
      assert.ok(waitedMs < MINUTE_MS, 'a reading was not in the list after a minute')
      if (waitedMs < 3_000) continue
      const found = await stage.ask(`find=${uid}&limit=100`)
      if (found.list) see(found.list)
      return
    }
  }
  const adding = new AbortController()
  const looking = (async () => {
    for (; !adding.signal.aborted || open.size > 0; await pause(LOOK_EVERY_MS)) await look()
  })()
  const began = performance.now()
  for (let number = 0; number < seconds * PROBES_PER_SECOND; number++) {
    await pause(Math.max(0, began + number * (1_000 / PROBES_PER_SECOND) - performance.now()))
    const patient = patients[(number * 7) % patients.length]
    if (!patient || open.has(patient.uid)) continue
    const measuredMs = Date.now()
    await add(stage, patient, [measuredMs])
    open.set(patient.uid, { ...fieldsOf(patient), measuredMs, answeredAt: performance.now() })
  }
  adding.abort()
  await looking
  return spreadOf(delays)
}

let loads = 0

/** Readings that were measured some minutes ago, of all patients in turn; half of them through each process. */
export async function offer({ servers, patients }: Stage, seconds: number, ratePerSecond: number) {
  const startMs = Date.now() - 60 * MINUTE_MS + loads++ * MINUTE_MS
  const figures = await Promise.all(
    servers.map(({ url }, half) =>
      runLoad({
        url,
        patients: patients.filter((_, number) => number % 2 === half),
        connections: 14,
        seconds,
        ratePerSecond: ratePerSecond / 2,
        getShare: 0,
        startMs,
      }),
    ),
  )
  for (const { errors, others } of figures) assert.deepEqual([errors, others], [[], {}])
  const most = (of: (figure: (typeof figures)[number]) => number) => Math.max(...figures.map(of))
  return { p99: most(({ accepted }) => accepted.p99), lateness: most(({ lateness }) => lateness.p99) }
}
