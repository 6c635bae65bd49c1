import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../test/support/harness.ts'
import { newPatient } from '../../test/support/patient.ts'

const rounds = await startRounds()

const PREFERENCES: [header: string, isFollowed: boolean][] = [
  ['return=representation', true],
  ['Return = Representation', true],
  ['return="representation"', true],
  ['return=representation; depth=1', true],
  ['respond-async, wait=10 , return=representation;a="b,c"', true],
  ['note="return=minimal, \\"return=minimal", return=representation', true],
  ['return=representation, return=minimal', true],
  ['return=minimal, return=representation', false],
  ['return=minimal', false],
  ['return', false],
  ['return=representations', false],
  ['no-return=representation', false],
  ['note="return=representation"', false],
  ['note="a, return=representation', false],
  ['=representation', false],
  ['', false],
]
for (const [prefer, isFollowed] of PREFERENCES) {
  test(`Prefer: ${prefer || '(empty)'} ${isFollowed ? 'asks for verdicts' : 'leaves the answer as it is'}`, async () => {
    const { symptom, token } = await newPatient(rounds)
    const { text, headers } = await rounds.call('/casesheet/readings/add', {
      token,
      body: [symptom(1)],
      headers: { prefer },
    })
    assert.equal(headers.get('preference-applied'), isFollowed ? 'return=representation' : null)
    if (!isFollowed) assert.equal(text, '{"code":"Ok","message":"The readings were added successfully."}')
    else assert.match(text, /"verdict":"stored"/)
  })
}
