// The rules of docs/alerts.md, taken out of it and set as a doctor would: each alerts by the readings that the page speaks of.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newDoctor } from '../support/doctor-with-patients.ts'
import { framesOf } from '../support/document-examples.ts'
import { startRounds } from '../support/harness.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/alerts.md'), 'utf8')
const [first = assert.fail('no rule')] = framesOf(guide).map(({ text }) => text)
const { patientUid: _, severity, ...whole } = JSON.parse(first) as Record<string, unknown>
const others = [...guide.matchAll(/`("readingType":.*)`/g)].map(
  ([, fields = '']) => JSON.parse(`{${fields}}`) as Record<string, unknown>,
)

type Values = Record<string, unknown>[]

/** Readings an hour apart, the last of them two hours ago: those that alert, and those that do not. */
const CASES: { rule: Record<string, unknown> | undefined; alerts: Values; quiet: Values }[] = [
  {
    rule: whole,
    alerts: [161, 149, 165].map((systolic) => ({ systolic, diastolic: 80, unit: 'mm[Hg]' })),
    quiet: [161, 149, 160].map((systolic) => ({ systolic, diastolic: 80, unit: 'mm[Hg]' })),
  },
  { rule: others[0], alerts: [{ value: 131 }], quiet: [{ value: 130 }] },
  {
    rule: others[1],
    alerts: [80.4, 81, 82.4].map((value) => ({ value, unit: 'kg' })),
    quiet: [82.4, 81, 80.4].map((value) => ({ value, unit: 'kg' })),
  },
  {
    rule: others[3],
    alerts: [{ symptoms: [{ symptom: 'chest pain', severity: 'SEVERE' }] }],
    quiet: [{ symptoms: [{ symptom: 'chest pain', severity: 'MODERATE' }] }],
  },
]

const rounds = await startRounds({ MODULES: 'casesheet,care', ALERTS: 'on' })
const doctor = await newDoctor(rounds)

async function preview(rule: Record<string, unknown>, values: Values) {
  const { patientUid } = await doctor.patient()
  const timestamp = (index: number) => Date.now() - (values.length + 1 - index) * 3_600_000
  const readings = values.map((fields, index) => ({
    patientUid,
    readingType: rule['readingType'],
    ...fields,
    timestamp: timestamp(index),
  }))
  const post = async (path: string, body: object, token: string) => {
    const { status, json, text } = await rounds.call(path, { token, body })
    assert.equal(status, 200, text)
    return Object(json.data) as Record<string, unknown>
  }
  await post('/casesheet/readings/add', readings, await rounds.token({ patientUid }))
  const body = { patientUid, severity, ...rule }
  const set = await post('/care/rules/set', body, doctor.token)
  assert.equal(set['readingType'], rule['readingType'])
  return (await post('/care/rules/preview', body, doctor.token))['count']
}

test('the page has a rule of each kind', () => {
  const kinds = [whole, ...others].map((rule) =>
    ['value', 'change', 'missing', 'symptom'].find((kind) => kind in rule),
  )
  assert.deepEqual(kinds, ['value', 'value', 'change', 'missing', 'symptom'])
})

for (const { rule = assert.fail('no rule'), alerts, quiet } of CASES) {
  test(`the rule of the page alerts as it says: ${JSON.stringify(rule)}`, async () => {
    assert.equal(await preview(rule, alerts), 1)
    assert.equal(await preview(rule, quiet), 0)
  })
}

test('the rule for missing readings of the page alerts as it says', async () => {
  const { missing, ...rule } = others[2] ?? assert.fail('no rule')
  assert.deepEqual(missing, { for: 'P2D' })
  assert.notEqual(await preview({ ...rule, missing }, [{ systolic: 120, diastolic: 80, unit: 'mm[Hg]' }]), 0)
})
