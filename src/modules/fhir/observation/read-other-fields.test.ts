import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OTHER_FIELDS } from '../systems.ts'
import { newBudget, readOtherFields } from './read-other-fields.ts'

test('the extensions of a body hold 30,000 values together, and a refusal says that they are meant', () => {
  const budget = newBudget()
  const read = (items: number) => {
    const valueString = `{"a":[${Array.from({ length: items }, () => '0').join()}]}`
    readOtherFields([{ url: OTHER_FIELDS, valueString }], { path: 'Observation', budget }, () => {})
  }
  read(15_000)
  assert.doesNotThrow(() => read(14_990))
  assert.throws(() => read(20), {
    code: 'BodyTooLarge',
    message: `The extensions ${OTHER_FIELDS} of a body may hold 30000 values together, counted at every depth. Send it in parts.`,
  })
})
