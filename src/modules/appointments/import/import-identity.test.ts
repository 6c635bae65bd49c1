// Which doctor a row of a file means: the rules, one by one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillDirectory } from '../../../../test/support/directory.ts'
import { createDatabase, runSql } from '../../../../test/support/harness.ts'

type Fields = Record<string, unknown>

const NAME = 'Dr. Nobody Known (invented)'
const doctor = (fields: Fields = {}) => ({ name: NAME, specialities: ['A', 'B'], ...fields })

/** Imports one file after the other and returns the ids, numbers and cities of the doctors that are then there. */
async function directoryAfter(...files: Fields[][]) {
  const { ownerUrl } = await createDatabase()
  const reports = []
  for (const doctors of files) reports.push((await fillDirectory(ownerUrl, { doctors })).doctors)
  const doctors = await runSql(
    ownerUrl,
    'select doctor_id, name, registration_number, city from appointments.doctors order by city, doctor_id',
  )
  return { doctors, last: reports.at(-1), ownerUrl }
}

const same: [string, Fields, Fields][] = [
  [
    'doctorId, whatever else',
    { doctorId: 'x', registrationNumber: '1' },
    { doctorId: 'x', name: 'Other', registrationNumber: '2', specialities: [] },
  ],
  [
    'registrationNumber, whatever the name',
    { registrationNumber: '1' },
    { registrationNumber: '1', name: 'Other', specialities: ['C'] },
  ],
  [
    'registrationNumber, the other having a doctorId',
    { doctorId: 'x', registrationNumber: '1' },
    { registrationNumber: '1', name: 'Other' },
  ],
  ['name and specialities', {}, {}],
  ['name and the specialities in another order', {}, { specialities: ['B', 'A'] }],
  ['name and specialities, the other having both numbers', { doctorId: 'x', registrationNumber: '1' }, {}],
  ['name and specialities, where the number is new', { doctorId: 'x' }, { registrationNumber: '1' }],
]
for (const [rule, first, second] of same) {
  test(`a doctor is the same one by ${rule}`, async () => {
    const { doctors, last } = await directoryAfter([doctor(first)], [doctor({ ...second, city: 'Later' })])
    assert.equal(doctors.length, 1)
    assert.equal(doctors[0]?.['city'], 'Later')
    assert.deepEqual(last, { added: 0, changed: 1, unchanged: 0 })
  })
}

const different: [string, Fields, Fields][] = [
  ['another doctorId, all else being the same', { doctorId: 'x' }, { doctorId: 'y' }],
  ['a doctorId that is not known', {}, { doctorId: 'y' }],
  ['another registrationNumber', { registrationNumber: '1' }, { registrationNumber: '2' }],
  ['another name', {}, { name: 'Other' }],
  ['a name with another accent', {}, { name: NAME.replace('o', 'ö') }],
  ['fewer specialities', {}, { specialities: ['A'] }],
  ['more specialities', {}, { specialities: ['A', 'B', 'C'] }],
  ['no specialities', {}, { specialities: [] }],
]
for (const [rule, first, second] of different) {
  test(`a doctor is another one by ${rule}`, async () => {
    const { doctors, last } = await directoryAfter([doctor(first)], [doctor(second)])
    assert.equal(doctors.length, 2)
    assert.deepEqual(last, { added: 1, changed: 0, unchanged: 0 })
  })
}

test('two rows that are the same doctor and agree are one', async () => {
  const { doctors, last } = await directoryAfter([
    doctor({ registrationNumber: '1' }),
    doctor({ registrationNumber: '1' }),
  ])
  assert.equal(doctors.length, 1)
  assert.deepEqual(last, { added: 1, changed: 0, unchanged: 0 })
})

test('registration numbers may be swapped in one file', async () => {
  const { doctors } = await directoryAfter(
    [
      doctor({ doctorId: 'x', registrationNumber: '1', city: 'P' }),
      doctor({ doctorId: 'y', registrationNumber: '2', city: 'Q' }),
    ],
    [
      doctor({ doctorId: 'x', registrationNumber: '2', city: 'P' }),
      doctor({ doctorId: 'y', registrationNumber: '1', city: 'Q' }),
    ],
  )
  assert.deepEqual(
    doctors.map((row) => [row['doctor_id'], row['registration_number']]),
    [
      ['x', '2'],
      ['y', '1'],
    ],
  )
})

test('a number that one doctor gives up may go to a new one', async () => {
  const { doctors } = await directoryAfter(
    [doctor({ doctorId: 'x', registrationNumber: '1' })],
    [doctor({ doctorId: 'x', city: 'P' }), doctor({ doctorId: 'y', registrationNumber: '1', city: 'Q' })],
  )
  assert.deepEqual(
    doctors.map((row) => row['registration_number']),
    [null, '1'],
  )
})

test('an id that would be made but is in use gives way, and importing again changes nothing', async () => {
  const { doctors, ownerUrl } = await directoryAfter([doctor()])
  const madeId = doctors[0]?.['doctor_id']
  const renamed = doctor({ doctorId: madeId, name: 'Now Other (invented)' })
  await fillDirectory(ownerUrl, { doctors: [renamed] })
  assert.equal((await fillDirectory(ownerUrl, { doctors: [doctor(), renamed] })).doctors.added, 1)
  assert.deepEqual((await fillDirectory(ownerUrl, { doctors: [doctor(), renamed] })).doctors, {
    added: 0,
    changed: 0,
    unchanged: 2,
  })
})

test('a speciality is the same one by specialityId, else by title; titles may be swapped', async () => {
  const { ownerUrl } = await createDatabase()
  const specialities = async () =>
    runSql(
      ownerUrl,
      'select speciality_id, title, is_active from appointments.specialities order by speciality_id',
    )
  await fillDirectory(ownerUrl, {
    specialities: [
      { title: 'A', specialityId: 'a' },
      { title: 'B', specialityId: 'b' },
    ],
  })
  const swapped = await fillDirectory(ownerUrl, {
    specialities: [
      { title: 'B', specialityId: 'a' },
      { title: 'A', specialityId: 'b' },
    ],
  })
  assert.deepEqual(swapped.specialities, { added: 0, changed: 2, unchanged: 0 })
  const byTitle = await fillDirectory(ownerUrl, {
    specialities: [{ title: 'A', isActive: false }, { title: 'B' }],
  })
  assert.deepEqual(byTitle.specialities, { added: 0, changed: 1, unchanged: 1 })
  assert.deepEqual(await specialities(), [
    { speciality_id: 'a', title: 'B', is_active: true },
    { speciality_id: 'b', title: 'A', is_active: false },
  ])
})

test('titles that differ only in how their accents are encoded are one speciality', async () => {
  const { ownerUrl } = await createDatabase()
  const { specialities } = await fillDirectory(ownerUrl, {
    specialities: [{ title: 'Pe\u0301diatrie' }],
    doctors: [{ name: 'X (invented)', specialities: ['P\u00e9diatrie', 'Pe\u0301diatrie'] }],
  })
  assert.equal(specialities.added, 1)
})
