import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directoryFile, fillDirectory, rowsOf } from '../../../../test/support/directory.ts'
import { createDatabase, runSql } from '../../../../test/support/harness.ts'
import { importDirectory } from './import-directory.ts'

const DIRECTORY = {
  specialities: [
    { title: 'Cardiology' },
    { title: 'Ear, Nose & Throat', isActive: false, specialityId: 'ent' },
  ],
  doctors: [
    {
      name: 'Dr. Émile Zöller (invented)',
      specialities: ['Ear, Nose & Throat', 'Cardiology'],
      gender: 'male',
      qualifications: ['MBBS', 'with "quotes", {braces} and \\'],
      registrationNumber: 'INVENTED-1',
      languages: ['EN-in', 'en', 'iw', 'en'],
      experienceYears: 0,
      city: 'Zu\u0308rich',
      photoUrl: 'https://photos.example/1.jpg',
      isActive: false,
    },
    { name: 'Dr. Asha Rao (invented)', specialities: [] },
  ],
}

const doctorsOf = (url: string, columns = '*') =>
  runSql(url, `select ${columns} from appointments.doctors order by name_key, doctor_id`)

test('a file becomes specialities and doctors, with keys to search by', async () => {
  const { ownerUrl } = await createDatabase()
  const { inactive, ...report } = await fillDirectory(ownerUrl, DIRECTORY)
  assert.deepEqual(report, {
    specialities: { added: 2, changed: 0, unchanged: 0 },
    doctors: { added: 2, changed: 0, unchanged: 0 },
    emptied: [],
    namedByDoctors: [],
  })
  const [asha, emile] = await doctorsOf(ownerUrl)
  const { doctor_id, created, ...fields } = emile ?? {}
  assert.deepEqual(inactive, [doctor_id])
  assert.match(String(doctor_id), /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  assert.ok(created instanceof Date)
  assert.deepEqual(fields, {
    name: 'Dr. Émile Zöller (invented)',
    name_key: 'dr. emile zoller (invented)',
    gender: 'male',
    qualifications: ['MBBS', 'with "quotes", {braces} and \\'],
    registration_number: 'INVENTED-1',
    languages: ['en-IN', 'en', 'he'],
    language_keys: ['en', 'en-in', 'he'],
    experience_years: 0,
    city: 'Zürich',
    city_key: 'zurich',
    photo_url: 'https://photos.example/1.jpg',
    is_active: false,
  })
  assert.deepEqual([asha?.['city'], asha?.['qualifications'], asha?.['is_active']], [null, [], true])
  const specialities = await runSql(
    ownerUrl,
    'select speciality_id, title, is_active from appointments.specialities order by title',
  )
  assert.deepEqual(specialities[1], { speciality_id: 'ent', title: 'Ear, Nose & Throat', is_active: false })
})

test('importing the same file again writes no row, wherever its lists stand', async () => {
  const { ownerUrl } = await createDatabase()
  const { inactive } = await fillDirectory(ownerUrl, DIRECTORY)
  const before = await rowsOf(ownerUrl)
  const { specialities, doctors } = DIRECTORY
  assert.deepEqual(await fillDirectory(ownerUrl, { doctors, specialities }), {
    specialities: { added: 0, changed: 0, unchanged: 2 },
    doctors: { added: 0, changed: 0, unchanged: 2 },
    emptied: [],
    namedByDoctors: [],
    inactive,
  })
  assert.deepEqual(await rowsOf(ownerUrl), before)
})

test('two databases give the same ids', async () => {
  const [one, other] = await Promise.all([createDatabase(), createDatabase()])
  await fillDirectory(one.ownerUrl, DIRECTORY)
  await fillDirectory(other.ownerUrl, { ...DIRECTORY, doctors: DIRECTORY.doctors.toReversed() })
  assert.deepEqual(await doctorsOf(one.ownerUrl, 'doctor_id'), await doctorsOf(other.ownerUrl, 'doctor_id'))
})

test('a listed doctor is replaced as a whole but for created; others stay as they are', async () => {
  const { ownerUrl } = await createDatabase()
  await fillDirectory(ownerUrl, DIRECTORY)
  const before = await doctorsOf(ownerUrl)
  const report = await fillDirectory(ownerUrl, {
    doctors: [
      {
        name: 'Dr. E. Zoller (invented)',
        specialities: ['Cardiology', 'New'],
        registrationNumber: 'INVENTED-1',
      },
    ],
  })
  assert.deepEqual(report, {
    specialities: { added: 1, changed: 0, unchanged: 0 },
    doctors: { added: 0, changed: 1, unchanged: 0 },
    emptied: ['gender', 'experienceYears', 'city', 'photoUrl', 'qualifications', 'languages', 'isActive'].map(
      (field) => ({ field, doctors: 1 }),
    ),
    namedByDoctors: ['New'],
    inactive: [],
  })
  const [asha, emile] = await doctorsOf(ownerUrl)
  assert.deepEqual(asha, before[0])
  assert.deepEqual(emile, {
    ...before[1],
    name: 'Dr. E. Zoller (invented)',
    name_key: 'dr. e. zoller (invented)',
    gender: null,
    qualifications: [],
    languages: [],
    language_keys: [],
    experience_years: null,
    city: null,
    city_key: null,
    photo_url: null,
    is_active: true,
  })
  const entries = await runSql(
    ownerUrl,
    `select title, name_key, position
    from appointments.doctor_specialities
    join appointments.specialities using (speciality_id)
    order by position`,
  )
  assert.deepEqual(entries, [
    { title: 'Cardiology', name_key: 'dr. e. zoller (invented)', position: 0 },
    { title: 'New', name_key: 'dr. e. zoller (invented)', position: 1 },
  ])
})

test('a dry run reports the same and changes nothing', async () => {
  const { ownerUrl } = await createDatabase()
  const file = await directoryFile(DIRECTORY)
  const isDryRun = true
  const foretold = await importDirectory({ databaseUrl: ownerUrl, file, isDryRun })
  assert.deepEqual(await rowsOf(ownerUrl), [])
  assert.deepEqual(await importDirectory({ databaseUrl: ownerUrl, file }), foretold)
  const before = await rowsOf(ownerUrl)
  await importDirectory({
    databaseUrl: ownerUrl,
    file: await directoryFile({ doctors: [{ name: 'X', specialities: ['Y'] }] }),
    isDryRun,
  })
  assert.deepEqual(await rowsOf(ownerUrl), before)
})
