// `rounds dev --demo`: there is something to see at once, for each of the invented people.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDev, temporaryDirectory } from '../support/dev.ts'
import { runCommand } from '../support/process.ts'

const TMPDIR = temporaryDirectory()
const dev = await startDev({ TMPDIR, PG_BIN: process.env['PG_BIN'] ?? '' }, ['--port', '0', '--demo'])

async function call(path: string, holder: string[]) {
  const { output: token } = await runCommand(['token', ...holder], { TMPDIR }).ended
  const answer = await fetch(`${dev.casesheetUrl}${path}`, {
    headers: { authorization: `Bearer ${token.trim()}` },
  })
  const { data } = Object(await answer.json()) as { data: Record<string, unknown>[] }
  return { status: answer.status, data }
}

test('it says how many readings there are, and no request of the start is shown', () => {
  const [, count = ''] =
    /^✓ Three months of invented readings: ([\d,]+) of Ada Example, Mia Example, Leo Example$/m.exec(
      dev.output(),
    ) ?? []
  assert.ok(Number(count.replaceAll(',', '')) > 15_000, dev.output())
  assert.ok(dev.printed.length <= 12, dev.output())
  for (const line of dev.printed) assert.ok(line.length <= 100, line)
  assert.doesNotMatch(dev.output(), /^(GET|POST|curl) /m)
})

for (const patientUid of ['patient-1', 'child-1', 'child-2']) {
  test(`${patientUid} has readings of several types up to today`, async () => {
    const { data } = await call(`/readings/latest?patientUid=${patientUid}`, ['--patient', patientUid])
    assert.ok(data.length >= 4)
    const newest = Math.max(...data.map(({ measuredAt }) => Date.parse(String(measuredAt))))
    assert.ok(Date.now() - newest < 24 * 3_600_000)
  })
}

test('one reading is withdrawn, with who and why, and the access log names staff', async () => {
  const own = ['--patient', 'patient-1']
  const { data } = await call('/readings/get?readingType=bodyWeight&withdrawn=include', own)
  const withdrawn = data.flatMap((reading) => (reading['withdrawn'] ? [Object(reading['withdrawn'])] : []))
  assert.deepEqual(
    withdrawn.map(({ by, reason }) => [by, reason]),
    [['kim-sample', 'Typed in pounds instead of kilograms']],
  )
  const log = await call('/readings/access-log', own)
  assert.ok(log.data.some(({ readBy, allowedAs }) => readBy === 'kim-sample' && allowedAs === 'staff'))
})

test('two patients share with the doctor: one until a day, one only some types', async () => {
  const { data } = await call('/patients/list', ['--doctor', 'dr-willow-sample'])
  assert.deepEqual(
    data.map(({ sharedAs, readingTypes, validUntil }) => [sharedAs, readingTypes, validUntil !== null]),
    [
      ['Ada Example', null, true],
      ['Mia Example', ['bodyTemperature', 'heartRate'], false],
    ],
  )
  const latest = await call('/readings/latest?patientUid=child-1', ['--doctor', 'dr-willow-sample'])
  assert.deepEqual(
    latest.data.map(({ readingType }) => readingType),
    ['bodyTemperature', 'heartRate'],
  )
})

test('its requests are shown from then on', async () => {
  await call('/readings/latest', ['--patient', 'patient-1'])
  assert.match(dev.output(), /^GET \/casesheet\/readings\/latest 200 /m)
})
