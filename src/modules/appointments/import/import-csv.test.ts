import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillDirectory, whyRefused } from '../../../../test/support/directory.ts'
import { createDatabase, runSql } from '../../../../test/support/harness.ts'
import { describeReport } from './report.ts'

const empty = await createDatabase()

const CSV = `\ufeffname,specialities,languages,experienceYears,isActive,city,qualifications,registrationNumber
"Zöller, Émile (invented)", Ear; Nose & Throat ,en-IN;fr,12,FALSE,"Zürich ""Mitte""",MBBS;MS,INVENTED-1

Asha Rao (invented),,,,,,,
`

test('a CSV file says the same as JSON', async () => {
  const { ownerUrl } = await createDatabase()
  const report = await fillDirectory(ownerUrl, CSV, 'csv')
  assert.deepEqual(report.namedByDoctors, ['Ear', 'Nose & Throat'])
  assert.deepEqual(report.doctors, { added: 2, changed: 0, unchanged: 0 })
  const rows = await runSql(
    ownerUrl,
    'select name, languages, experience_years, is_active, city, qualifications from appointments.doctors order by name',
  )
  assert.deepEqual(rows, [
    {
      name: 'Asha Rao (invented)',
      languages: [],
      experience_years: null,
      is_active: true,
      city: null,
      qualifications: [],
    },
    {
      name: 'Zöller, Émile (invented)',
      languages: ['en-IN', 'fr'],
      experience_years: 12,
      is_active: false,
      city: 'Zürich "Mitte"',
      qualifications: ['MBBS', 'MS'],
    },
  ])
  const json = {
    doctors: [
      { name: 'Asha Rao (invented)', specialities: [] },
      {
        name: 'Zöller, Émile (invented)',
        specialities: ['Ear', 'Nose & Throat'],
        languages: ['en-IN', 'fr'],
        experienceYears: 12,
        isActive: false,
        city: 'Zürich "Mitte"',
        qualifications: ['MBBS', 'MS'],
        registrationNumber: 'INVENTED-1',
      },
    ],
  }
  assert.deepEqual((await fillDirectory(ownerUrl, json)).doctors, { added: 0, changed: 0, unchanged: 2 })
})

test('a spreadsheet’s file with semicolons between columns says the same, with bars or quoted semicolons in lists', async () => {
  const { ownerUrl } = await createDatabase()
  await fillDirectory(ownerUrl, CSV, 'csv')
  const semicolons = `\ufeffname;specialities;languages;experienceYears;isActive;city;qualifications;registrationNumber\r
"Zöller, Émile (invented)";Ear | Nose & Throat;en-IN|fr;12;FALSE;"Zürich ""Mitte""";"MBBS;MS";INVENTED-1\r
Asha Rao (invented);;;;;;;\r
`
  const { doctors, emptied } = await fillDirectory(ownerUrl, semicolons, 'csv')
  assert.deepEqual([doctors, emptied], [{ added: 0, changed: 0, unchanged: 2 }, []])
  // A comma is part of a title, also there.
  const titles = await fillDirectory(ownerUrl, 'name;specialities\nB;Ear, Nose & Throat\n', 'csv')
  assert.deepEqual(titles.namedByDoctors, ['Ear, Nose & Throat'])
  // A header that comes in pieces, and one column only.
  const late = `${'\n'.repeat(70_000)}name;salary\n`
  assert.match(await whyRefused(ownerUrl, late, 'csv'), /"salary" is unknown/)
  assert.match(await whyRefused(ownerUrl, 'name', 'csv'), /the column specialities is missing/)
})

test('a file with fewer columns empties fields, and the report says which, of how many doctors', async () => {
  const { ownerUrl } = await createDatabase()
  await fillDirectory(ownerUrl, CSV, 'csv')
  const fewer = 'registrationNumber,name,specialities\nINVENTED-1,"Zöller, Émile (invented)",\n'
  const report = await fillDirectory(ownerUrl, fewer, 'csv')
  assert.deepEqual(report.doctors, { added: 0, changed: 1, unchanged: 0 })
  assert.deepEqual(report.emptied.map(({ field, doctors }) => `${field} ${doctors}`).toSorted(), [
    'city 1',
    'experienceYears 1',
    'isActive 1',
    'languages 1',
    'qualifications 1',
    'specialities 1',
  ])
  const emptied = [
    { field: 'city', doctors: 3 },
    { field: 'isActive', doctors: 1 },
  ]
  assert.match(
    describeReport({ ...report, emptied }, true),
    /\n {2}emptied {7}city of 3 doctors\n {2}made active {3}1 doctor$/,
  )
  assert.deepEqual((await fillDirectory(ownerUrl, fewer, 'csv')).emptied, [])
})

test('a title that differs from another one in case or white space only is refused; one that is renamed by its id is not', async () => {
  const { ownerUrl } = await createDatabase()
  const twice = 'name,specialities\nA,Cardiology\nB,cardiology;Ear  Nose\nC,Ear Nose\n'
  assert.equal(
    await whyRefused(ownerUrl, twice, 'csv'),
    `The directory was not changed. Fix these and import again:
  the speciality "Cardiology" must be written like "cardiology", which the file has too
  the speciality "Ear  Nose" must be written like "Ear Nose", which the file has too
  the speciality "Ear Nose" must be written like "Ear  Nose", which the file has too
  the speciality "cardiology" must be written like "Cardiology", which the file has too`,
  )
  await fillDirectory(ownerUrl, { specialities: [{ title: 'Ödeme', specialityId: 'o' }] })
  assert.match(
    await whyRefused(ownerUrl, { doctors: [{ name: 'A', specialities: ['ÖDEME'] }] }),
    /"ÖDEME" must be written like "Ödeme", which the directory has$/,
  )
  const renamed = await fillDirectory(ownerUrl, { specialities: [{ title: 'ÖDEME', specialityId: 'o' }] })
  assert.deepEqual(renamed.specialities, { added: 0, changed: 1, unchanged: 0 })
  // Twins from before this rule are left alone.
  await runSql(ownerUrl, "insert into appointments.specialities (speciality_id, title) values ('p', 'ödeme')")
  assert.equal((await fillDirectory(ownerUrl, 'name,specialities\nA,ödeme;ÖDEME\n', 'csv')).doctors.added, 1)
})

const refused: [string, string | Buffer, RegExp][] = [
  ['nothing', '', /The file is empty/],
  [
    'an unknown column',
    'name,specialities,salary\n',
    /line 1: the column "salary" is unknown\. Columns may be name, /,
  ],
  ['a column twice', 'name,specialities,name\n', /line 1: the column name appears twice/],
  ['no name column', 'specialities\n', /line 1: the column name is missing/],
  [
    'a bad number',
    'name,specialities,experienceYears\nA,,5\nB,,-5\nC,,many',
    /\n {2}line 3: experienceYears must be .*\n {2}line 4: experienceYears must be/,
  ],
  ['a bad switch', 'name,specialities,isActive\nA,,maybe', /line 2: isActive must be true or false/],
  ['a blank name', 'name,specialities\n  ,x', /line 2: name is required/],
  ['an empty item', 'name,specialities\nA,x;;y', /line 2: specialities\[1\] must be a text/],
  ['a bad language', 'name,specialities,languages\nA,,en;e', /line 2: languages\[1\] must be a language tag/],
  ['too few cells', 'name,specialities\nA\n', /not well-formed CSV: Invalid Record Length.* line 2/],
  ['an open quote', 'name,specialities\n"A,x\n', /not well-formed CSV: Quote Not Closed/],
  [
    'other than UTF-8',
    Buffer.from('name,specialities\nÉmile,x\n', 'latin1'),
    /^The file is not in UTF-8\. Save it as "CSV UTF-8" in your spreadsheet\.$/,
  ],
  ['UTF-16', Buffer.from('\ufeffname,specialities\nA,x\n', 'utf16le'), /not in UTF-8/],
  [
    'twins that differ',
    'name,specialities,city\nA,x,P\nA,x,Q\n',
    /line 2 and line 3 are the same doctor but differ/,
  ],
]
for (const [what, content, sentence] of refused) {
  test(`a CSV file with ${what} is refused with a sentence`, async () => {
    assert.match(await whyRefused(empty.ownerUrl, content, 'csv'), sentence)
  })
}
