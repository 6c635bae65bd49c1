import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillDirectory, whyRefused } from '../../../../test/directory.ts'
import { createDatabase, runSql } from '../../../../test/harness.ts'

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

const refused: [string, string | Buffer, RegExp][] = [
  ['nothing', '', /The file is empty/],
  [
    'an unknown column',
    'name,specialities,salary\n',
    /line 1: the column "salary" is unknown\. Columns may be name, /,
  ],
  ['a column twice', 'name,specialities,name\n', /line 1: the column name appears twice/],
  ['no name column', 'specialities\n', /line 1: the column name is missing/],
  ['semicolons between columns', 'name;specialities\n', /the column "name;specialities" is unknown/],
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
  ['other than UTF-8', Buffer.from('name,specialities\nÉmile,x\n', 'latin1'), /not in UTF-8/],
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
