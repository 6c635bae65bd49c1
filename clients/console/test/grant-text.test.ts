import './words.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GrantChange } from '../../typescript/src/client.ts'
import { dateText } from '../src/format/times.ts'
import { deedOf, untilText, whatText } from '../src/screens/sharing/grant-text.ts'
import './words.ts'

const ZONE = 'Europe/Berlin'
const validUntil = '2027-03-01T23:00:00.000000Z'
const lastDay = dateText('2027-03-01T12:00:00Z', ZONE)

const TYPES = ['bloodPressure']

function sentence(fields: Partial<GrantChange>): string {
  const terms = { permission: 'view', validUntil, sharedAs: null, contact: null } as const
  const change = { doctorId: 'willow', action: 'give', readingTypes: TYPES, ...terms, ...fields } as const
  const { before, after } = deedOf(change, 'child-1', ZONE)
  return `${before} Dr Willow Sample${after}.`
}

test('a grant that ends with a day names that day, in the zone of the reader', () => {
  assert.equal(untilText({ validUntil }, ZONE), `until ${lastDay}`)
  assert.match(untilText({ validUntil }, 'UTC'), /11:00 PM|23:00/)
  assert.equal(untilText({ validUntil: null }, 'UTC'), '')
})

test('what is shared is named as people name it', () => {
  assert.equal(whatText({ readingTypes: null }), 'all readings')
  assert.equal(
    whatText({ readingTypes: ['bloodPressure', 'fev1', 'acme.x'] }),
    'blood pressure, FEV1 and acme.x',
  )
})

test('each change is a sentence that says whose readings it is about', () => {
  assert.equal(sentence({}), `shared blood pressure of child-1 with Dr Willow Sample until ${lastDay}.`)
  assert.equal(
    sentence({
      action: 'change',
      readingTypes: null,
      validUntil: null,
      sharedAs: 'Mia',
      permission: 'manage',
    }),
    'changed what is shared with Dr Willow Sample: now all readings of child-1, as “Mia”. They may also set targets and rules, and are alerted by them.',
  )
  assert.equal(sentence({ action: 'revoke' }), 'stopped sharing readings of child-1 with Dr Willow Sample.')
})
