// Targets at their largest: every field of the catalogue with the longest label, a long history, and what is sent to set one.
import { type Callers, type Case, gets } from './case.ts'

const LABEL = '😀'.repeat(100)

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
    post('set', 'a label of 400 bytes', 200, () => ({ ...fields, low: turn++ % 90 })),
    post('set', 'the same target again', 200, () => ({ ...fields, readingType: 'bodyFat', low: 10 })),
    post('set', 'a preset of two fields', 200, () => ({
      preset: turn++ % 2 === 0 ? 'home-blood-pressure-esh' : 'home-blood-pressure-acc-aha',
    })),
    post('set', 'a label of 60 KB', 400, () => ({ ...fields, low: 1, label: 'x'.repeat(60_000) })),
    post('set', 'a type of 60 KB', 400, () => ({ readingType: 'x'.repeat(60_000), low: 1 })),
    post('set', '6,000 fields that are unknown', 400, () =>
      Object.fromEntries(Array.from({ length: 6_000 }, (_, nth) => [`f${nth}`, 1])),
    ),
    post('set', 'a number of 60,000 digits', 400, () => `{"low":${'9'.repeat(60_000)}}`),
    post('remove', 'what is set, of a type', 200, () => ({ readingType: 'bloodPressure' })),
    post('remove', 'what was never set', 200, () => ({ readingType: 'sleep', field: 'deep' })),
    ...gets(callers, 'targets/list', [
      ['32 targets with labels of 400 bytes', '/care/targets/list', 'sharing', 200],
    ]),
    ...gets(callers, 'targets/history', [
      ['a page of 5,000 changes', '/care/targets/history', 'sharing', 200],
      ['a cursor of 6 KB', `/care/targets/history?cursor=${'A'.repeat(6_000)}`, 'sharing', 400],
    ]),
  ]
}
