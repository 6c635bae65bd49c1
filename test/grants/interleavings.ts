// Gives, changes, revocations and expiries of grants, and reads of every kind at the same time, at two processes, in an order that
// a seed repeats as far as the machine lets it. Each read is judged by what its client can know (history.ts):
// - a read that begins when no grant can be valid is refused;
// - an answer shows what one grant shows that may have been valid meanwhile, nothing else and nothing less, and says its limits;
// - a read that has a grant all the time succeeds;
// - a stream that is open when its grant ends is ended.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { createRandom, type Random } from '../../tools/simulate/random.ts'
import { type HeldStream, holdStream, readFirstEvent } from './held-stream.ts'
import { type Given, GrantHistory, now } from './history.ts'
import { READS, type ReadKind, type SharedPatient, typesShown, unique } from './reads.ts'
import { type Answered, type Stage, startStage } from './stage.ts'

const TYPES = ['heartRate', 'acme.grip', 'acme.mood'] as const
const LANES = 24
const DOCTORS = 12
/** What the promise of two seconds may take on a machine that stands still now and then. */
const MAX_STREAM_MS = 5_000
const doctors = Array.from({ length: DOCTORS }, (_, nth) => `doctor-${nth}`)

/** A patient and a doctor: each pair has one history. A doctor has several patients, and a patient several doctors. */
type Lane = {
  patient: SharedPatient
  doctorId: string
  token: string
  history: GrantHistory
  random: Random
  streams: HeldStream[]
}

export type Outcome = {
  reads: number
  succeeded: number
  refused: number
  writes: number
  longestStreamMs: number
}

export async function runInterleavings(count: number, seed: number): Promise<Outcome> {
  const stage = await startStage(doctors)
  const patients = await Promise.all(
    Array.from({ length: LANES / 2 }, () => stage.newPatient([...TYPES, ...TYPES])),
  )
  const outcome: Outcome = { reads: 0, succeeded: 0, refused: 0, writes: 0, longestStreamMs: 0 }
  const tokens = await Promise.all(doctors.map(stage.doctorToken))
  let left = count
  async function runLane(nth: number) {
    const doctor = (nth + Math.floor(nth / DOCTORS)) % DOCTORS
    const patient = patients[nth % patients.length] as SharedPatient
    const [doctorId = '', token = ''] = [doctors[doctor], tokens[doctor]]
    const lane: Lane = {
      patient,
      doctorId,
      token,
      history: new GrantHistory(),
      random: createRandom(seed, nth),
      streams: [],
    }
    while (left-- > 0) await interleave(stage, lane, outcome)
    await write(stage, lane, outcome, undefined)
    for (const stream of lane.streams) judgeStream(lane, await stream.ended(MAX_STREAM_MS), outcome)
  }
  await Promise.all(Array.from({ length: LANES }, (_, nth) => runLane(nth)))
  return outcome
}

/** One interleaving: up to three writes, and reads before, during and after them; then one of each by itself. */
async function interleave(stage: Stage, lane: Lane, outcome: Outcome) {
  const { random } = lane
  const steps: Promise<unknown>[] = []
  for (let writes = 1 + Math.floor(random.between(0, 3)); writes > 0; writes--) {
    const given = random.pick(GIVES)(random)
    const [delayMs, after] = [random.between(-2, 6), [randomRead(random), randomRead(random)]]
    steps.push(
      afterPause(delayMs, async () => {
        await write(stage, lane, outcome, given)
        // At once, at both processes.
        await Promise.all(after.map((asked, nth) => read(stage, lane, outcome, { ...asked, process: nth })))
      }),
    )
  }
  for (let reads = 1 + Math.floor(random.between(0, 3)); reads > 0; reads--) {
    const [delayMs, asked] = [random.between(-2, 10), randomRead(random)]
    steps.push(afterPause(delayMs, () => read(stage, lane, outcome, asked)))
  }
  await Promise.all(steps)
  // Then nothing else happens: a grant that lasts is enough, and without one nothing is shown. Where the machine is slow, many of those above
  // have expired before anybody reads by them.
  for (const given of [LASTING, undefined]) {
    await write(stage, lane, outcome, given)
    await Promise.all([0, 1].map((process) => read(stage, lane, outcome, { ...randomRead(random), process })))
  }
}

const LASTING: Given = { readingTypes: null, validUntilMs: Infinity }

async function afterPause(ms: number, work: () => Promise<void>) {
  if (ms > 0) await pause(ms)
  await work()
}

type MakeGiven = (random: Random) => Given | undefined

const someTypes: MakeGiven = (random) => ({
  readingTypes: random.shuffled(TYPES).slice(0, random.pick([1, 2])),
  validUntilMs: Infinity,
})
const GIVES: readonly [MakeGiven, ...MakeGiven[]] = [
  () => undefined,
  () => undefined,
  () => LASTING,
  someTypes,
  (random) => ({ ...(someTypes(random) as Given), validUntilMs: soon(random) }),
  (random) => ({ readingTypes: null, validUntilMs: soon(random) }),
]
const soon = (random: Random) => Math.ceil(Date.now() + random.between(15, 80))

async function write(
  stage: Stage,
  { patient, doctorId, history, random }: Lane,
  outcome: Outcome,
  given: Given | undefined,
) {
  const process = random.pick([0, 1])
  const written = history.begin(given)
  outcome.writes++
  const { readingTypes, validUntilMs = 0 } = given ?? {}
  const answer = given
    ? await stage.give(process, patient, {
        doctorId,
        ...(readingTypes ? { readingTypes } : {}),
        ...(Number.isFinite(validUntilMs) ? { validUntil: new Date(validUntilMs).toISOString() } : {}),
      })
    : await stage.revoke(process, patient, doctorId)
  written.ended = now()
  if (answer.status === 200) return
  // It was no time in the future any more when it arrived, or it did not arrive in time, on a machine that stood still.
  const isLate = answer.status === 400 && validUntilMs < Date.now()
  assert.ok(isLate || answer.status === 408, `${answer.status} ${answer.text}`)
  history.forget(written)
}

type Asked = { kind: ReadKind; nth: number; process: number; isHeld: boolean }

function randomRead(random: Random): Asked {
  return {
    kind: random.pick(READS as [ReadKind, ...ReadKind[]]),
    nth: Math.floor(random.between(0, TYPES.length)),
    process: random.pick([0, 1]),
    isHeld: random.chance(0.2),
  }
}

async function read(stage: Stage, lane: Lane, outcome: Outcome, { kind, nth, process, isHeld }: Asked) {
  const { patient, token, streams } = lane
  const path = kind.path(patient, nth)
  const began = now()
  let answer: Answered
  if (kind.isStream) {
    const opened = await readFirstEvent(`${stage.urls[process]}${path}`, token)
    answer = opened
    if (opened.status === 200 && isHeld && streams.every(({ hasEnded }) => hasEnded()))
      streams.push(holdStream(opened, { began, opened: now() }))
    else await opened.leave()
  } else answer = await stage.call(process, path, { token, headers: kind.headers ?? {} })
  const ended = now()
  outcome.reads++
  if (answer.status === 200) outcome.succeeded++
  if (answer.status === 403) outcome.refused++
  judge(lane, { kind, nth }, { began, ended, answer })
}

/** The rules, for one read. */
function judge(
  { history, patient, doctorId }: Lane,
  { kind, nth }: Pick<Asked, 'kind' | 'nth'>,
  { began, ended, answer }: { began: number; ended: number; answer: Answered },
) {
  const grants = history.duringRead(began, ended)
  const seen = describe(kind, patient, nth, answer)
  const allowed = grants.map((given) => expected(kind, patient, nth, given))
  assert.ok(
    allowed.includes(seen),
    `${kind.name} of ${patient.patientUid} by ${doctorId}: ${seen} where only ${unique(allowed).join(' or ')}\n${answer.text.slice(0, 500)}`,
  )
}

/** What an answer amounts to, and what it must amount to under a grant, as one text. */
function describe(
  kind: ReadKind,
  { types }: SharedPatient,
  nth: number,
  { status, headers, text }: Answered,
) {
  if (status === 403) return /"NotShared"/.test(text) ? 'refused' : text
  if (status === 404) return 'not found'
  if (status !== 200) return `${status} ${text}`
  const limits = headers.get('x-limited-to')?.split(',') ?? []
  const shown = kind.isStream ? [] : typesShown(kind, text, types[nth % types.length] ?? '')
  return `shows ${shown.join()} limited to ${unique(limits).join()}`
}

function expected(kind: ReadKind, patient: SharedPatient, nth: number, given: Given | undefined): string {
  if (!given) return 'refused'
  const { readingTypes } = given
  const shown = kind.shown(patient, nth, (type) => readingTypes?.includes(type) ?? true)
  return shown ? `shows ${shown.join()} limited to ${unique(readingTypes ?? []).join()}` : 'not found'
}

type Ended = Awaited<ReturnType<HeldStream['ended']>>

function judgeStream({ history, doctorId }: Lane, { began, opened, endedAt }: Ended, outcome: Outcome) {
  const tookMs = endedAt - history.endedAfter(began, opened)
  outcome.longestStreamMs = Math.max(outcome.longestStreamMs, tookMs)
  assert.ok(
    tookMs < MAX_STREAM_MS,
    `a stream of ${doctorId} went on for ${tookMs.toFixed(0)} ms without a grant`,
  )
}
