// A search finds exactly the names that contain it, whichever index it is looked up in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillDirectory } from '../../../test/support/directory.ts'
import { startRounds } from '../../../test/support/harness.ts'
import { searchKeyOf } from '../../search-key.ts'

const NAMES = [
  'Dr. Abcd Efgh Invented',
  'Dr. Efgh Abcd Invented',
  'Dr. Abcde Fgh Invented',
  'Dr. Ababab Bababa Invented',
  'Dr. 100%_Sure\\{"a,b"} Invented',
  'Dr. Émile Strauß-O’Hara Invented',
  'Invented 𐐨𐐩𐐪𐐫𐐬 𐐨𐐩𐐫',
  'Invented 山田太郎',
]

const rounds = await startRounds({ RATE_LIMIT_PER_MINUTE: '1000000' })
const token = await rounds.token()
await fillDirectory(rounds.ownerUrl, {
  doctors: NAMES.map((name, index) => ({ doctorId: `invented-${index}`, name, specialities: [] })),
})

async function found(q: string): Promise<string[]> {
  const { status, json } = await rounds.call(
    `/appointments/doctors/list?${new URLSearchParams({ q }).toString()}`,
    {
      token,
    },
  )
  assert.equal(status, 200)
  return json.data.map(({ name }) => String(name)).sort()
}

const namesWith = (text: string) => NAMES.filter((name) => searchKeyOf(name).includes(text)).sort()

/** Every part of a name of 3 to 13 characters, if it has three letters or digits in a row, and begins and ends with no blank. */
function partsOf(name: string): string[] {
  const characters = Array.from(searchKeyOf(name))
  return characters.flatMap((_, from) =>
    Array.from({ length: 11 }, (__, more) => characters.slice(from, from + 3 + more).join('')).filter(
      (part) => /[\p{L}\p{N}]{3}/u.test(part) && part === part.trim(),
    ),
  )
}

for (const name of NAMES) {
  test(`every part of ${name} finds the names that have it, and no other`, async () => {
    for (const part of new Set(partsOf(name))) assert.deepEqual(await found(part), namesWith(part), part)
  })
}

test('a name that has all parts of a search, but not in a row, is not found', async () => {
  assert.deepEqual(await found('abcdefgh'), [])
  assert.deepEqual(await found('abcd efgh'), ['Dr. Abcd Efgh Invented'])
  assert.deepEqual(await found('𐐨𐐩𐐪𐐫𐐬𐐨𐐩𐐫'), [])
})

test('a search of the largest length is answered', async () => {
  assert.deepEqual(await found('ab'.repeat(100)), [])
})
