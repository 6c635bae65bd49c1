// Rows that are well-formed one by one but cannot stand together, or beside the directory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillDirectory, whyRefused } from '../../../../test/support/directory.ts'
import { createDatabase } from '../../../../test/support/harness.ts'

const { ownerUrl } = await createDatabase()
const ok = { name: 'Dr. Fine (invented)', specialities: ['A'] }
await fillDirectory(ownerUrl, {
  specialities: [{ title: 'Known', specialityId: 'known' }],
  doctors: [
    { name: 'Dr. Twin (invented)', specialities: ['Known'], doctorId: 'twin-1' },
    { name: 'Dr. Twin (invented)', specialities: ['Known'], doctorId: 'twin-2', registrationNumber: 'R' },
  ],
})

const clashes: [string, object, string][] = [
  [
    'the same doctorId',
    {
      doctors: [
        { ...ok, doctorId: 'x' },
        { ...ok, doctorId: 'x', city: 'P' },
      ],
    },
    'doctors[0] and doctors[1] are the same doctor but differ',
  ],
  [
    'the same number',
    {
      doctors: [
        ok,
        { ...ok, name: 'P', registrationNumber: '1' },
        { ...ok, name: 'Q', registrationNumber: '1' },
      ],
    },
    'doctors[1] and doctors[2] are the same doctor but differ',
  ],
  [
    'the same name and specialities',
    { doctors: [ok, { ...ok, city: 'P' }] },
    'doctors[0] and doctors[1] are the same doctor but differ',
  ],
  [
    'a name with and without a number',
    { doctors: [ok, { ...ok, registrationNumber: '1' }] },
    'doctors[0] and doctors[1] have the same name and specialities: give each',
  ],
  [
    'one number for two ids',
    {
      doctors: [
        { ...ok, doctorId: 'x', registrationNumber: '1' },
        { ...ok, name: 'P', doctorId: 'y', registrationNumber: '1' },
      ],
    },
    'doctors[0] and doctors[1] have the same registrationNumber',
  ],
  [
    'the number of another doctor',
    { doctors: [{ ...ok, doctorId: 'x', registrationNumber: 'R' }] },
    'doctors[0] has the registrationNumber of another doctor, whose doctorId is twin-2',
  ],
  [
    'a name that several have',
    { doctors: [ok, { name: 'Dr. Twin (invented)', specialities: ['Known'] }] },
    'doctors[1] could be any of several doctors',
  ],
  [
    'a title with two ids',
    {
      specialities: [
        { title: 'T', specialityId: 'x' },
        { title: 'T', specialityId: 'y' },
      ],
    },
    'specialities[0] and specialities[1] have the same title',
  ],
  [
    'a title with two states',
    { specialities: [{ title: 'T' }, { title: 'T', isActive: false }] },
    'specialities[0] and specialities[1] are the same speciality but differ',
  ],
  [
    'the title of another speciality',
    { specialities: [{ title: 'Known', specialityId: 'x' }] },
    'specialities[0] has the title of another speciality, whose specialityId is known',
  ],
]
for (const [what, content, sentence] of clashes) {
  test(`rows that cannot stand together are refused: ${what}`, async () => {
    const message = await whyRefused(ownerUrl, content)
    assert.ok(message.includes(`\n  ${sentence}`), message)
  })
}
