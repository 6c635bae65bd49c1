// Corrections, the sequence of changes and streams: the largest bodies, pages and cursors that can be sent.
import { randomUUID } from 'node:crypto'
import { type Callers, type Case, type Get, gets } from './case.ts'
import { changesBefore, type LimitsStage } from './stage.ts'

const NO_ID = '00000000-0000-0000-0000-000000000000'
const changes = (query: string) => `/casesheet/readings/changes?${query}`
const cursor = (text: string) => Buffer.from(text).toString('base64url')

export async function changeCases(stage: LimitsStage, callers: Callers): Promise<Case[]> {
  const [large, many] = [await changesBefore(stage, 'changed'), await changesBefore(stage, 'one-of-many-1')]
  const followed: Get[] = [
    ['a page of changes of 64 KiB', changes(`limit=1000&cursor=${large}`), 'consumer', 200],
    ['a page of 1,000 patients', changes(`limit=1000&cursor=${many}`), 'consumer', 200],
    ['from the beginning', changes('limit=1000'), 'consumer', 200],
    ['from now', changes('start=now'), 'consumer', 200],
    ['a cursor of 6 KB', changes(`cursor=${'A'.repeat(6_000)}`), 'consumer', 400],
    [
      'a transaction id of 4,000 digits',
      changes(`cursor=${cursor(`1 ${randomUUID()},1,0/0,${'9'.repeat(4_000)},${NO_ID}`)}`),
      'consumer',
      400,
    ],
    [
      'a transaction id beyond all',
      changes(`cursor=${cursor(`1 ${randomUUID()},1,0/0,${'9'.repeat(18)},${NO_ID}`)}`),
      'consumer',
      410,
    ],
    ['a cursor of 3,000 clusters', changes(`cursor=${cursor(`1${' x'.repeat(2_200)}`)}`), 'consumer', 400],
  ]
  return [...gets(callers, 'readings/changes', followed), ...corrections(await oneReading(stage), callers)]
}

/** A reading of the patient `small`, by its names. */
async function oneReading({ owner }: LimitsStage) {
  const { rows } = await owner.query<{ readingId: string; timestamp: string }>(
    `select reading_id as "readingId", sent_timestamp as timestamp
     from casesheet.readings
     where patient_uid = 'small'
     limit 1`,
  )
  const [row] = rows
  return { patientUid: 'small', readingId: row?.readingId, timestamp: Number(row?.timestamp) }
}

function corrections(named: object, callers: Callers): Case[] {
  const post = (verb: string, input: string, status: number, body: () => string): Case => ({
    operation: `readings/${verb}`,
    input,
    status,
    make: () => ({
      path: `/casesheet/readings/${verb}`,
      headers: callers.small,
      body: Buffer.from(body()),
    }),
  })
  const withReason = (reason: string) => () => JSON.stringify({ ...named, reason })
  return [
    post('withdraw', 'a reason of 500 characters outside ASCII', 200, withReason('😀'.repeat(250))),
    post('withdraw', 'a reason of 60 KB', 400, withReason('x'.repeat(60_000))),
    post('withdraw', '4 MiB of a list', 400, () => `[${'{},'.repeat(1_390_000)}{}]`),
    post('withdraw', '30,000 levels', 400, () => `{"reason":${'['.repeat(30_000)}${']'.repeat(30_000)}}`),
    post('withdraw', 'a timestamp of 60,000 digits', 400, () =>
      JSON.stringify(named).replace(/"timestamp":\d+/, `"timestamp":${'1'.repeat(60_000)}`),
    ),
    post('restore', 'a reading that was withdrawn', 200, () => JSON.stringify(named)),
    post('restore', 'a reading that there is not', 404, () =>
      JSON.stringify({ ...named, readingId: randomUUID() }),
    ),
  ]
}
