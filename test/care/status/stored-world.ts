// A service with a clock of its own, and a database in which grants, targets, readings and looks are stored as if they had come at their
// times: what no client can say, because the database stamps it.
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { startRounds } from '../../support/harness.ts'
import { until } from '../../support/until.ts'

export type WorldReading = {
  id: string
  type: string
  measuredAt: number
  receivedAt: number
  details: object
}
export type WorldTarget = {
  author: { kind: 'doctor' | 'practice' | 'patient'; id: string }
  /** Null: for all who share with the author. */
  patientUid: string | null
  type: string
  unit: string
  fields: object
  expectEvery: string | null
  setAt: number
}
/** `lookAgainAt` as a look says it: left out keeps a date, null takes it away. */
export type WorldLook = {
  at: number
  seenUpTo: string
  saw: string[]
  lookAgainAt?: number | null
  practiceId?: string
}

/** `started`: what the clock of the service says when it starts, in ms. Times below are of that clock. */
export async function startWorld(started: number) {
  const rounds = await startRounds({ MODULES: 'casesheet,care' })
  const database = new Client({ connectionString: rounds.ownerUrl })
  await database.connect()
  // Times stay as they are given; a row gets its place in the sequence of changes all the same.
  await database.query('set session_replication_role = replica')
  let clock = Date.now()
  const setClock = (to: number) => {
    rounds.skip(to - clock)
    clock = to
  }
  setClock(started)
  const at = (time: number) => new Date(time).toISOString()
  const one = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await database.query<Row>(text, values)).rows[0]

  async function grant(
    patientUid: string,
    doctorId: string,
    { given, until: end }: { given: number; until?: number },
  ) {
    await database.query(
      `insert into casesheet.grants
        (patient_uid, doctor_id, grant_id, permission, valid_until, list_key, given_at, changed_by, changed_at, changed_xid)
      values ($1, $2, $3, 'manage', $4, $1, $5, 'test', $5, pg_current_xact_id())`,
      [patientUid, doctorId, randomUUID(), end === undefined ? 'infinity' : at(end), at(given)],
    )
  }

  async function target({ author, patientUid, type, unit, fields, expectEvery, setAt }: WorldTarget) {
    await database.query(
      `insert into casesheet.targets
        (set_at, changed_xid, target_id, author_kind, author_id, patient_uid, reading_type, unit, fields, expect_every, set_by)
      values ($1, pg_current_xact_id(), $2, $3, $4, $5, $6, $7, $8, $9, 'test')`,
      [
        at(setAt),
        randomUUID(),
        author.kind,
        author.id,
        patientUid,
        type,
        unit,
        JSON.stringify(fields),
        expectEvery,
      ],
    )
  }

  async function readings(patientUid: string, all: WorldReading[]) {
    const rows = all.map(({ id, type, measuredAt, receivedAt, details }) => ({
      id,
      type,
      details,
      measured: at(measuredAt),
      received: at(receivedAt),
    }))
    await database.query(
      `insert into casesheet.readings
        (measured_at, sent_timestamp, received_at, changed_xid, reading_id, patient_uid, reading_type, details)
      select measured, extract(epoch from measured), received, pg_current_xact_id(), id, $1, type, details
      from json_to_recordset($2::json) as row (id uuid, type text, measured timestamptz, received timestamptz, details json)`,
      [patientUid, JSON.stringify(rows)],
    )
  }

  async function look(
    patientUid: string,
    doctorId: string,
    { at: time, seenUpTo, saw, lookAgainAt, practiceId }: WorldLook,
  ) {
    const says = lookAgainAt === undefined ? 'keep' : lookAgainAt === null ? 'none' : 'set'
    const date = typeof lookAgainAt === 'number' ? at(lookAgainAt) : null
    await database.query(
      `insert into casesheet.looks
        (at, changed_xid, seen_up_to, look_again_at, review_id, patient_uid, doctor_id, practice_id, looked_by, saw, acknowledged, date_says)
      values ($1, pg_current_xact_id(), $2, $3, $4, $5, $6, $7, 'test', $8, '{}', $9)`,
      [at(time), seenUpTo, date, randomUUID(), patientUid, doctorId, practiceId ?? null, saw, says],
    )
  }

  /** Until everything that was stored is made. */
  async function made() {
    const now = await one<{ now: string }>('select clock_timestamp()::text as now')
    await until(async () => {
      const found = await one<{ is_made: boolean }>(
        `select not exists (select from care.marks)
            and exists (select from casesheet.followers where name = 'care:list' and caught_up_at > $1::timestamptz) as is_made`,
        [now?.now],
      )
      return found?.is_made === true
    }, 600_000)
  }

  const judged = async (patientUid: string) =>
    (await one<{ judged: string }>('select judged from care.patients where patient_uid = $1', [patientUid]))
      ?.judged ?? '0'

  /** All pages of the list of a doctor, who may work in a practice. */
  async function list<Entry>(doctorId: string, limit = 100, practiceIds?: string): Promise<Entry[]> {
    const seconds = Math.floor(clock / 1_000)
    const token = await rounds.token({
      doctorId,
      practiceIds,
      sub: doctorId,
      iat: seconds - 60,
      exp: seconds + 600,
    })
    const entries: Entry[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const after: string = cursor && `&cursor=${encodeURIComponent(cursor)}`
      const answer = await rounds.call(`/care/patients/list?limit=${limit}${after}`, { token })
      if (answer.status !== 200) throw new Error(`${answer.text}\n${rounds.log().slice(-2_000)}`)
      entries.push(...(answer.json.data as Entry[]))
      cursor = answer.json.nextCursor
    }
    return entries
  }

  return { setClock, grant, target, readings, look, made, judged, list, close: () => database.end() }
}
