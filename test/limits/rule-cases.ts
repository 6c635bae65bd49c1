// Rules at their largest: as many as a patient and a doctor may have, and a preview over as many readings as it looks at.
import { type Callers, type Case, gets } from './case.ts'

const LABEL = '😀'.repeat(50)
const SEVERITY = { severity: 'notice' }

export function ruleCases(callers: Callers): Case[] {
  let turn = 0
  const post = (verb: string, input: string, status: number, body: () => object | string): Case => ({
    operation: `rules/${verb}`,
    input,
    status,
    make: () => {
      const sent = body()
      const text = typeof sent === 'string' ? sent : JSON.stringify({ patientUid: 'ruled', ...sent })
      return { path: `/care/rules/${verb}`, headers: callers.doctor, body: Buffer.from(text) }
    },
  })
  const ofLimitedDoctor = (one: Case): Case => ({
    ...one,
    make: () => ({ ...one.make(), headers: callers.limitedDoctor }),
  })
  const heart = { readingType: 'heartRate', ...SEVERITY, label: LABEL }
  const glucose = { readingType: 'interstitialGlucose', unit: 'mmol/L', ...SEVERITY }
  const wide = { sustained: { above: 5, count: 10, of: 10 }, clear: { below: 5, count: 1 } }
  return [
    // Another one each time: the same one would change nothing.
    post('set', 'a label of 200 bytes', 200, () => ({
      ...heart,
      threshold: { above: 100 + (turn++ % 90) },
    })),
    post('set', 'the same rule again', 200, () => ({ ...heart, threshold: { above: 99 } })),
    post('set', 'the 51st of a patient', 409, () => ({
      ...heart,
      patientUid: 'full',
      threshold: { above: 200 },
    })),
    ofLimitedDoctor(
      post('set', 'the 10,001st of a doctor', 409, () => ({
        ...heart,
        patientUid: 'reviewed',
        threshold: { above: 200 },
      })),
    ),
    post('set', 'a label of 60 KB', 400, () => ({
      ...heart,
      threshold: { above: 1 },
      label: 'x'.repeat(60_000),
    })),
    post('set', 'a duration of 60 KB', 400, () => ({
      ...heart,
      missing: { for: `P${'1'.repeat(60_000)}D` },
    })),
    post('set', '6,000 fields that are unknown', 400, () =>
      Object.fromEntries(Array.from({ length: 6_000 }, (_, nth) => [`f${nth}`, 1])),
    ),
    post('set', 'a number of 60,000 digits', 400, () => `{"threshold":{"above":${'9'.repeat(60_000)}}}`),
    post('remove', 'what was never set', 200, () => ({ ruleId: '2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20' })),
    post('preview', '200 alerts of 50,000 readings', 200, () => ({ ...glucose, ...wide })),
    post('preview', 'throughout a day, 50,000 readings', 200, () => ({
      ...glucose,
      sustained: { above: 1, for: 'P1D' },
    })),
    post('preview', 'a change within 30 days, 50,000 readings in another unit', 200, () => ({
      ...glucose,
      unit: 'mg/dL',
      change: { by: 10, within: 'P30D' },
    })),
    post('preview', 'no reading, 50,000 readings', 200, () => ({
      readingType: 'interstitialGlucose',
      ...SEVERITY,
      missing: { for: 'PT1H' },
    })),
    ...gets(callers, 'rules/list', [
      ['50 rules with labels of 200 bytes', '/care/rules/list?patientUid=full', 'doctor', 200],
      ['a page of 10,000 rules', '/care/rules/list', 'doctor', 200],
      ['a cursor of 6 KB', `/care/rules/list?cursor=${'A'.repeat(6_000)}`, 'doctor', 400],
    ]),
  ]
}
