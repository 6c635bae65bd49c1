// Targets at their largest: of many types and authors with the longest label, and what is sent to set one.
import { type Callers, type Case, gets } from './case.ts'

const LABEL = '😀'.repeat(100)
const low = (value: number) => ({ value: { low: value } })

export function targetCases(callers: Callers): Case[] {
  let turn = 0
  const post = (verb: string, input: string, status: number, body: () => object | string) => ({
    operation: `targets/${verb}`,
    input,
    status,
    make: () => {
      const sent = body()
      const text = typeof sent === 'string' ? sent : JSON.stringify({ patientUid: 'sender', ...sent })
      return { path: `/care/targets/${verb}`, headers: callers.sender, body: Buffer.from(text) }
    },
  })
  const fields = { readingType: 'oxygenSaturation', label: LABEL }
  return [
    // Another one each time: the same one would change nothing.
    post('set', 'a label of 400 bytes', 200, () => ({ ...fields, fields: low(turn++ % 90) })),
    post('set', 'the same target again', 200, () => ({
      ...fields,
      readingType: 'bodyFat',
      fields: low(10),
    })),
    post('set', 'two fields', 200, () => ({
      readingType: 'bloodPressure',
      fields: { systolic: { high: 130 + (turn++ % 9) }, diastolic: { high: 85 } },
    })),
    post('set', 'a label of 60 KB', 400, () => ({ ...fields, fields: low(1), label: 'x'.repeat(60_000) })),
    post('set', 'a type of 60 KB', 400, () => ({ readingType: 'x'.repeat(60_000), fields: low(1) })),
    post('set', '2,000 fields that are unknown', 400, () => ({
      ...fields,
      fields: Object.fromEntries(Array.from({ length: 2_000 }, (_, nth) => [`f${nth}`, { low: 1 }])),
    })),
    post('set', 'a number of 60,000 digits', 400, () => `{"fields":{"value":{"low":${'9'.repeat(60_000)}}}}`),
    post('remove', 'what is set, of a type', 200, () => ({ readingType: 'bloodPressure' })),
    post('remove', 'what was never set', 404, () => ({ readingType: 'sleep' })),
    ...gets(callers, 'targets/list', [
      ['232 targets with labels of 400 bytes', '/care/targets/list', 'sharing', 200],
    ]),
  ]
}
