import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import { newPatient } from '../../../test/support/patient.ts'

const rounds = await startRounds()

const BAD_READINGS: Record<string, [object, string]> = {
  'no patientUid': [{ patientUid: undefined }, '/patientUid'],
  'an empty patientUid': [{ patientUid: '' }, '/patientUid'],
  'a number for patientUid': [{ patientUid: 7 }, '/patientUid'],
  'a patientUid of 129 characters': [{ patientUid: 'x'.repeat(129) }, '/patientUid'],
  'a control character in patientUid': [{ patientUid: 'a\nb' }, '/patientUid'],
  'a character in patientUid that turns the text around': [{ patientUid: 'a\u202eb' }, '/patientUid'],
  'no readingType': [{ readingType: undefined }, '/readingType'],
  'an empty readingType': [{ readingType: '' }, '/readingType'],
  'a readingType with a space': [{ readingType: 'heart rate' }, '/readingType'],
  'a readingType of 65 characters': [{ readingType: 'x'.repeat(65) }, '/readingType'],
  'no timestamp': [{ timestamp: undefined }, '/timestamp'],
  'a null timestamp': [{ timestamp: null }, '/timestamp'],
  'a text timestamp': [{ timestamp: '1762000000000' }, '/timestamp'],
  'a boolean timestamp': [{ timestamp: true }, '/timestamp'],
  'a negative timestamp': [{ timestamp: -5 }, '/timestamp'],
  'a timestamp past the year 9999': [{ timestamp: 253_402_300_800_000 }, '/timestamp'],
  'no symptoms': [{ symptoms: undefined }, '/symptoms'],
  'empty symptoms': [{ symptoms: [] }, '/symptoms'],
  'symptoms that are no list': [{ symptoms: 'headache' }, '/symptoms'],
  '101 symptoms': [
    { symptoms: Array.from({ length: 101 }, () => ({ symptom: 'x', severity: 'MILD' })) },
    '/symptoms',
  ],
  'a symptom without text': [{ symptoms: [{ symptom: '', severity: 'MILD' }] }, '/symptoms/0/symptom'],
  'a symptom of 501 characters': [
    { symptoms: [{ symptom: 'x'.repeat(501), severity: 'MILD' }] },
    '/symptoms/0/symptom',
  ],
  'a lower-case severity': [{ symptoms: [{ symptom: 'x', severity: 'low' }] }, '/symptoms/0/severity'],
  'no severity': [{ symptoms: [{ symptom: 'x' }] }, '/symptoms/0/severity'],
  'a note without text': [{ readingType: 'note' }, '/text'],
  'a note of blanks': [{ readingType: 'note', text: ' \n' }, '/text'],
  'a note of 501 characters': [{ readingType: 'note', text: 'x'.repeat(501) }, '/text'],
  'a note with a character that turns the text around': [{ readingType: 'note', text: 'a\u202eb' }, '/text'],
  'a readingId of its own': [{ readingId: 'mine' }, '/readingId'],
  'a measuredAt of its own': [{ measuredAt: '2025-01-01' }, '/measuredAt'],
  'a receivedAt of its own': [{ receivedAt: null }, '/receivedAt'],
  'a withdrawn of its own': [{ withdrawn: null }, '/withdrawn'],
  'a NUL character': [{ note: 'a\0b' }, '/note'],
  'a lone surrogate': [{ note: ['\ud800'] }, '/note/0'],
}
for (const [name, [change, pointer]] of Object.entries(BAD_READINGS)) {
  test(`400 for ${name}, pointing at it`, async () => {
    const { add, stored, symptom } = await newPatient(rounds)
    const { status, json } = await add(symptom(1_762_000_000_000, change))
    assert.deepEqual([status, json.code], [400, 'ValidationFailed'])
    assert.deepEqual(
      json.errors.map((error) => error.pointer),
      [pointer],
    )
    assert.deepEqual(await stored(), [])
  })
}

for (const body of [null, 'text', 7, true, [], [null], [[]]]) {
  test(`400 for the body ${JSON.stringify(body)}`, async () => {
    const { add } = await newPatient(rounds)
    const { status, json } = await add(body)
    assert.deepEqual([status, json.code], [400, 'ValidationFailed'])
  })
}
