// Every type of the catalogue, through HTTP: what may be is accepted, what cannot be is refused in words that help.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../../test/support/harness.ts'
import { patientTrying } from '../../../../test/support/patient-trying.ts'
import { CATALOGUE, type CatalogueType } from './catalogue.ts'
import { rangesOf } from './limits.ts'

const rounds = await startRounds()

/** Required numbers at an end of their range, such that none is in the way of another, and the unit where it is required. */
function fieldsIn(type: CatalogueType, unit: number): Record<string, unknown> {
  const required = Object.entries(type.quantities).filter(([, { isOptional }]) => !isOptional)
  const numbers = required.map(([field, quantity]) => {
    const [least, most] = rangesOf(quantity, type)[unit]?.possible ?? assert.fail()
    return [field, quantity.below === undefined ? most : least]
  })
  return { ...Object.fromEntries(numbers), ...(type.units.length > 1 ? { unit: type.units[unit] } : {}) }
}

for (const [name, type] of Object.entries(CATALOGUE)) {
  const { units, quantities, notes = {}, example } = type

  test(`${name}: its example is accepted, with its unit and with fields that nobody knows`, async () => {
    const { accepts, acceptedAreStored } = await patientTrying(rounds, name)
    await accepts(example)
    await accepts({ ...example, device: { model: 'X1' }, note: null })
    await accepts(fieldsIn(type, 0))
    for (const [index, unit] of units.entries()) await accepts({ ...fieldsIn(type, index), unit })
    await acceptedAreStored()
  })

  test(`${name}: each number is accepted up to its limits and refused beyond them, in every unit`, async () => {
    const { accepts, refuses, acceptedAreStored } = await patientTrying(rounds, name)
    for (const [field, quantity] of Object.entries(quantities)) {
      for (const [index, range] of rangesOf(quantity, type).entries()) {
        const [least, most] = range.possible
        const step = quantity.isWhole ? 1 : 0.01
        const message = `must be from ${least} to ${most} ${range.unit}`
        // The only unit is meant where none is named.
        for (const unit of units.length === 1 ? [units[0], undefined] : [units[index]]) {
          const fields = { ...fieldsIn(type, index), unit }
          for (const value of [least, most]) await accepts({ ...fields, [field]: value })
          for (const value of [least - step, most + step]) {
            await refuses({ ...fields, [field]: value }, { pointer: `/${field}`, message })
          }
        }
      }
    }
    await acceptedAreStored()
  })

  test(`${name}: numbers of another kind are refused and never become 0; missing ones are required`, async () => {
    const { accepts, refuses, acceptedAreStored } = await patientTrying(rounds, name)
    for (const [field, { isWhole, isOptional }] of Object.entries(quantities)) {
      const pointer = `/${field}`
      const message = isWhole ? 'must be a whole number' : 'must be a number'
      const fields = fieldsIn(type, 0)
      for (const value of [null, '71', true, [], [71], { value: 71 }, ...(isWhole ? [0.5] : [])]) {
        await refuses({ ...fields, [field]: value }, { pointer, message })
      }
      const missing = { ...fields, [field]: undefined }
      await (isOptional ? accepts(missing) : refuses(missing, { pointer, message: 'is required' }))
    }
    await acceptedAreStored()
  })

  test(`${name}: a wrong unit is the only thing said of it, and what stands beside is checked too`, async () => {
    const { refuses, acceptedAreStored } = await patientTrying(rounds, name)
    const fields = fieldsIn(type, 0)
    for (const unit of ['furlong', '', null, 7, [units[0]], 'x'.repeat(60_000)]) {
      await refuses({ ...fields, unit }, { pointer: '/unit', message: `must be one of ${units.join(', ')}` })
    }
    for (const [field, note] of Object.entries(notes)) {
      const message =
        note === 'note'
          ? 'must be a text, a number, true or false'
          : note === 'time'
            ? 'must be a number of epoch seconds or milliseconds, from 1970 to the end of the year 9999'
            : `must be one of ${note.join(', ')}`
      for (const value of [null, {}, [], ...(note === 'note' ? [] : ['sideways'])]) {
        await refuses({ ...fields, [field]: value }, { pointer: `/${field}`, message })
      }
    }
    await acceptedAreStored()
  })
}
