// Bytes that an add writes to the write-ahead log (WAL). After a checkpoint, the first change of a page writes the whole page, and
// each patient's next reading goes to index leaves of its own. So the patients here have long histories, a checkpoint comes first,
// and by default every add is of another patient. Bytes do not depend on how busy the machine is.
import { createHash } from 'node:crypto'
import { shareOfFirst } from '../src/commands/sizing.ts'
import type { Database, Stage } from './stage.ts'

/** A leaf holds about 100 readings, and those of patients are filled to different degrees: they have 100 to 200 each. */
const HISTORY = { patients: 1_200, min: 100, max: 200 }
/** The first adds change pages that all patients share: the ends of the 32 tables and of their indexes by change. */
const FIRST_ADDS = 400
const SENDERS = 800
const IN_FLIGHT = 64
const TYPES = ['heartRate', 'respiratoryRate', 'oxygenSaturation', 'acme.steps']

type Adds = {
  /** each: one of every patient, so that all are the first since the checkpoint. random: of a patient chosen by chance each time. */
  order: 'each' | 'random'
  count: number
  inFlight: number
  readingsEach: number
}
const ONE_BY_ONE: Adds = { order: 'each', count: SENDERS, inFlight: 1, readingsEach: 1 }
/** Of 20 readings of a patient and day, so many come between two checkpoints. */
const BETWEEN_CHECKPOINTS = (20 * 2) / 24

/** Of the first add of a patient since a checkpoint, of one of 20 a day, and of a reading of 20 in one add. */
export async function measureAdds(stage: Stage) {
  const { bytesPerReading } = await prepare(stage)
  return {
    first: await bytesPerReading(ONE_BY_ONE),
    ofDay: await bytesPerReading({
      ...ONE_BY_ONE,
      order: 'random',
      count: Math.round(SENDERS * BETWEEN_CHECKPOINTS),
    }),
    of20: await bytesPerReading({ ...ONE_BY_ONE, readingsEach: 20 }),
  }
}

async function prepare(stage: Stage, modules: string[] = []) {
  const postgres = await stage.startPostgres({ autovacuum: 'off', shared_buffers: '256MB' }, modules)
  const compression = await bestCompression(postgres)
  await postgres.sql(`alter system set wal_compression = ${compression}`)
  await postgres.sql('select pg_reload_conf()')
  await loadHistories(postgres)
  const { url } = await stage.startServer(['src/cli.ts', 'serve'], { DATABASE_URL: postgres.url })
  const tokens = await stage.read(await stage.writeTokens('wal', patientOf, FIRST_ADDS + SENDERS))
  const patients = tokens.split('\n').map((line) => line.split(' '))
  const senders = patients.splice(FIRST_ADDS)
  let startMs = Date.parse('2030-01-01T00:00:00Z')

  async function bytesPerReading({ order, count, inFlight, readingsEach }: Adds): Promise<number> {
    startMs += 3_600_000
    await postgres.sql('checkpoint')
    await addAll(patients, 1, IN_FLIGHT)
    const before = await walPosition(postgres)
    const chosen = Array.from(
      { length: count },
      (_, nth) => senders[order === 'each' ? nth : chance(nth)] ?? [],
    )
    await addAll(chosen, readingsEach, inFlight)
    return ((await walPosition(postgres)) - before) / (count * readingsEach)
  }

  async function addAll(of: string[][], readingsEach: number, inFlight: number) {
    for (let next = 0; next < of.length; next += inFlight)
      await Promise.all(of.slice(next, next + inFlight).map((sender) => add(sender, readingsEach)))
  }

  async function add([patientUid, token]: string[], readings: number) {
    const readingType = TYPES[startMs % TYPES.length]
    const list = Array.from({ length: readings }, () => ({
      patientUid,
      readingType,
      value: 20,
      timestamp: ++startMs,
    }))
    const answer = await fetch(`${url}/casesheet/readings/add`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(list),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`An add was answered with ${answer.status}: ${text}`)
  }

  /** Of a read of each sender, the first since a checkpoint: its row of the access log. */
  async function bytesPerRead(): Promise<number> {
    await loadAccesses(postgres)
    await postgres.sql('checkpoint')
    await readAll(patients)
    const before = await walPosition(postgres)
    await readAll(senders)
    return ((await walPosition(postgres)) - before) / senders.length
  }

  async function readAll(of: string[][]) {
    for (const [patientUid, token] of of) {
      const answer = await fetch(`${url}/casesheet/readings/get?patientUid=${patientUid}&limit=20`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`A get was answered with ${answer.status}: ${text}`)
    }
  }

  return { bytesPerReading, bytesPerRead }
}

/** For `rounds sizing`: adds of patients chosen by chance, with so many of each patient between two checkpoints. */
const ADDS_BETWEEN_CHECKPOINTS = [0.4, 0.83, BETWEEN_CHECKPOINTS, 3.3, 12]

export async function measureWal(stage: Stage, modules: string[]) {
  const { bytesPerReading, bytesPerRead } = await prepare(stage, modules)
  const adds: { betweenCheckpoints: number; bytes: number }[] = []
  for (const betweenCheckpoints of ADDS_BETWEEN_CHECKPOINTS) {
    const count = Math.round(SENDERS * betweenCheckpoints)
    const bytes = await bytesPerReading({ ...ONE_BY_ONE, order: 'random', count })
    adds.push({ betweenCheckpoints: Number(betweenCheckpoints.toFixed(2)), bytes: Math.round(bytes) })
  }
  const first = await bytesPerReading(ONE_BY_ONE)
  const readingOf20 = await bytesPerReading({ ...ONE_BY_ONE, readingsEach: 20 })
  const firstRead = await bytesPerRead()
  return {
    adds,
    first: Math.round(first),
    readingOf20: Math.round(readingOf20),
    firstRead: Math.round(firstRead),
  }
}

/**
 * What an add writes: always so much, and a page of each index that the patient's next reading goes to, if it is the first change
 * of that page since the checkpoint. The index by time, and FHIR's, have one such page for each patient, the one by type has one for each
 * type. Least squares.
 */
export function fitWal({ adds }: Pick<Awaited<ReturnType<typeof measureWal>>, 'adds'>) {
  const rows = adds.map(({ betweenCheckpoints: changes, bytes }) => ({
    terms: [1, shareOfFirst(changes), shareOfFirst(changes / TYPES.length)] as const,
    bytes,
  }))
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0)
  const matrix = ([0, 1, 2] as const).map((i) => [
    ...([0, 1, 2] as const).map((j) => sum(({ terms }) => terms[i] * terms[j])),
    sum(({ terms, bytes }) => terms[i] * bytes),
  ])
  const [always = 0, pagesOfPatient = 0, pageOfType = 0] = solve(matrix)
  return {
    always: Math.round(always),
    pagesOfPatient: Math.round(pagesOfPatient),
    pageOfType: Math.round(pageOfType),
  }
}

/** Gauss's elimination. */
function solve(matrix: number[][]): number[] {
  for (const [step, pivot] of matrix.entries())
    for (const [index, row] of matrix.entries()) {
      if (index === step) continue
      const factor = (row[step] ?? 0) / (pivot[step] ?? 0)
      for (const column of row.keys()) row[column] = (row[column] ?? 0) - factor * (pivot[column] ?? 0)
    }
  return matrix.map((row, index) => (row.at(-1) ?? 0) / (row[index] ?? 0))
}

async function bestCompression(postgres: Database): Promise<string> {
  const [known] = await postgres.sql<{ has_zstd: boolean }>(
    "select 'zstd' = any (enumvals) as has_zstd from pg_settings where name = 'wal_compression'",
  )
  return known?.has_zstd ? 'zstd' : 'pglz'
}

async function walPosition(postgres: Database): Promise<number> {
  const [position] = await postgres.sql<{ bytes: string }>(
    "select pg_current_wal_insert_lsn() - '0/0' as bytes",
  )
  return Number(position?.bytes)
}

/** A sender, the same for the same number in every run. */
function chance(nth: number): number {
  return createHash('md5').update(String(nth)).digest().readUInt32BE() % SENDERS
}

/** As long and as random as the ids that issuers give. */
function patientOf(nth: number): string {
  return createHash('md5')
    .update(`wal-${nth}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** An hour after the other, so that pages are filled as they are in production. */
async function loadHistories(postgres: Database) {
  await postgres.sql(
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select md5('wal-' || patient)::uuid::text, to_timestamp(at), gen_random_uuid(),
       ($4::text[])[1 + (hour * 7919 + patient) % 4],
       at, '{"value":72}', 'device-' || patient
     from generate_series(1, $3::integer) as hour
     cross join generate_series(0, $1::integer - 1) as patient
     cross join lateral (select 1600000000 + hour * 3600 + patient % 3600 as at) as reading
     where hour > patient * 7919 % ($3::integer - $2::integer)`,
    [HISTORY.patients, HISTORY.min, HISTORY.max, TYPES],
  )
}

/** As many reads as readings, an hour after the other. */
async function loadAccesses(postgres: Database) {
  await postgres.sql(
    `insert into casesheet.access_log
       (patient_uid, at, request_id, page, read_by, allowed_as, operation, range_from, range_to, readings_count)
     select uid, at, gen_random_uuid()::text, 0, uid, 'patient', 'readings/get', at - interval '1 day', at, 20
     from generate_series(1, $2::integer) as hour
     cross join generate_series(0, $1::integer - 1) as patient
     cross join lateral (
       select md5('wal-' || patient)::uuid::text as uid, to_timestamp(1600000000 + hour * 3600 + patient % 3600) as at
     ) as read`,
    [HISTORY.patients, HISTORY.max],
  )
}
