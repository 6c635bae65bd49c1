// What a doctor's list of patients takes from the adds: the same adds where one of a hundred patients, or everyone who sends, is in a list
// that a doctor uses, and on a process without the module `care`.
import { setTimeout as pause } from 'node:timers/promises'
import { STEP_OF_SENDERS } from './bare.ts'
import { PATIENTS } from './data.ts'
import type { Figure } from './figures.ts'
import { loadsOn, type Tokens } from './http-loads.ts'
import type { Measured } from './loads.ts'
import type { Say } from './rounds.ts'
import { type Row, startOurs } from './rows.ts'
import { measureSides, type Side } from './sides.ts'
import type { Database, Stage } from './stage.ts'

const BAR = 0.97
const PATIENTS_OF_DOCTOR = 1_000
/** A doctor's screen asks again so often. */
const REFRESH_MS = 5_000
const WAIT_MS = 600_000

type Setting = {
  stage: Stage
  tokens: Tokens
  senders: number
  load: (name: string) => Promise<Database>
  say: Say
}

export async function measureAddsBesideList({
  stage,
  tokens,
  senders,
  load,
  say,
}: Setting): Promise<Figure[]> {
  const { addFrom } = loadsOn(tokens, stage.postgresPid)
  // Readings of the last hours, those of each look later than those of the one before.
  let startMs = Date.now() - 3 * 3_600_000
  const used = { tokens: { senders: tokens.senders }, stage }
  const start = async (database: Database, modules?: string): Promise<Side> => {
    const { url, pid } = await startOurs({ ...used, database }, modules ? { modules } : {})
    return { url, pid, database }
  }
  const reference = await start(await load('without_list'), 'appointments,casesheet,fhir')
  const addsOn = (side: Side) => addFrom(side, () => (startMs += 100_000))
  const rows: Row[] = []
  for (const { named, bar, count, step } of listings(senders)) {
    const ours = await start(await load(`list_of_every_${step}`))
    const doctors = await shareWithDoctors(ours.database, count, step)
    const doctorTokens = await Promise.all(doctors.map((doctorId) => doctorToken(stage, doctorId)))
    await untilMade(ours.database, count)
    const adds = addsOn(ours)
    rows.push({
      name: `add, ${named} in lists / without care`,
      bar,
      ours: (seconds) => besideLists(ours, doctorTokens, () => adds(seconds)),
      reference: addsOn(reference),
    })
  }
  return measureSides(rows, say)
}

/** Of a hundred patients one is in the list, of those who send as well. All of them are the worst case, which has no bar. */
const listings = (senders: number) => [
  {
    named: 'one of 100 patients',
    bar: BAR,
    count: PATIENTS_OF_DOCTOR,
    step: PATIENTS / PATIENTS_OF_DOCTOR - 1,
  },
  { named: 'everyone who sends', bar: null, count: senders, step: STEP_OF_SENDERS },
]

/** So many patients share with as many doctors as it takes, and have a target. */
async function shareWithDoctors(database: Database, count: number, step: number): Promise<string[]> {
  const sharing = `
    select 'p-' || n * ${step}, 'bench-' || n / ${PATIENTS_OF_DOCTOR}
    from generate_series(0, ${count - 1}) as n`
  await database.sql(`
    insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by)
    select uid, doctor_id, 'manage', uid, uid
    from (${sharing}) as sharing (uid, doctor_id)`)
  await database.sql(`
    insert into casesheet.targets (patient_uid, author_kind, author_id, reading_type, unit, fields, expect_every, set_by)
    select uid, 'doctor', doctor_id, 'heartRate', '/min', '{"value": {"low": 60, "high": 120, "actAbove": 150}}', 'P1D', doctor_id
    from (${sharing}) as sharing (uid, doctor_id)`)
  await database.sql('vacuum analyze casesheet.grants, casesheet.targets')
  const doctors = await database.sql<{ doctor_id: string }>('select distinct doctor_id from casesheet.grants')
  return doctors.map(({ doctor_id }) => doctor_id)
}

async function doctorToken(stage: Stage, doctorId: string): Promise<string> {
  const file = await stage.writeTokens(`doctor-${doctorId}`, () => doctorId, 1, doctorId)
  return /^\S+ (\S+)/.exec(await stage.read(file))?.[1] ?? ''
}

async function list({ url }: Side, token: string) {
  const answer = await fetch(`${url}/care/patients/list`, { headers: { authorization: `Bearer ${token}` } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`The list answered ${answer.status}: ${text}`)
}

/** Until all that so many patients have in their lists is made. */
export async function untilMade(database: Pick<Database, 'sql'>, patients: number) {
  for (const end = Date.now() + WAIT_MS; ; await pause(250)) {
    const [state] = await database.sql<{ is_made: boolean }>(
      'select (select count(*) from care.patients) >= $1::integer and not exists (select from care.marks) as is_made',
      [patients],
    )
    if (state?.is_made) return
    if (Date.now() > end) throw new Error('The lists were not made in ten minutes.')
  }
}

/** Each doctor's screen refreshes meanwhile, one after the other. */
async function besideLists(side: Side, tokens: string[], adds: () => Promise<Measured>): Promise<Measured> {
  const measured = adds()
  const adding = new AbortController()
  void measured.finally(() => adding.abort()).catch(() => {})
  for (let next = 0; !adding.signal.aborted; next++) {
    await list(side, tokens[next % tokens.length] ?? '')
    await pause(REFRESH_MS / tokens.length, undefined, { signal: adding.signal }).catch(() => {})
  }
  return measured
}
