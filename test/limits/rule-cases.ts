// Rules at their largest: as many as an author may have, and a preview over as many readings as it looks at.
import { type Callers, type Case, gets } from './case.ts'

const LABEL = '😀'.repeat(50)
const SEVERITY = { severity: 'warning' }

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
  const wide = { value: { above: 5, times: 10, within: 'P1D' }, clear: { below: 5 } }
  return [
    // Another one each time: the same one would change nothing.
    post('set', 'a label of 200 bytes', 200, () => ({
      ...heart,
      value: { above: 100 + (turn++ % 90) },
    })),
    post('set', 'the same rule again', 200, () => ({ ...heart, value: { above: 99 } })),
    post('set', 'the 51st of a patient', 409, () => ({
      ...heart,
      patientUid: 'full',
      value: { above: 200 },
    })),
    ofLimitedDoctor(
      post('set', 'the 51st for all', 409, () => ({
        ...heart,
        patientUid: undefined,
        value: { above: 200 },
      })),
    ),
    post('set', 'a label of 60 KB', 400, () => ({
      ...heart,
      value: { above: 1 },
      label: 'x'.repeat(60_000),
    })),
    post('set', 'a duration of 60 KB', 400, () => ({
      ...heart,
      missing: { for: `P${'1'.repeat(60_000)}D` },
    })),
    post('set', '6,000 fields that are unknown', 400, () =>
      Object.fromEntries(Array.from({ length: 6_000 }, (_, nth) => [`f${nth}`, 1])),
    ),
    post('set', 'a number of 60,000 digits', 400, () => `{"value":{"above":${'9'.repeat(60_000)}}}`),
    post('remove', 'what was never set', 404, () => ({
      patientUid: undefined,
      ruleId: '2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20',
    })),
    post('preview', '200 alerts of 50,000 readings', 200, () => ({ ...glucose, ...wide })),
    post('preview', 'of all patients', 200, () => ({ ...heart, patientUid: undefined, value: { above: 1 } })),
    post('preview', 'every value of 50,000 readings', 200, () => ({ ...glucose, value: { above: 1 } })),
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
      ['50 rules for all', '/care/rules/list', 'limitedDoctor', 200],
    ]),
  ]
}
