// A large directory, imported by the command in bounded memory, and every search of it answered from an index. Plans are explained in the sessions that serve searches.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Client, escapeLiteral } from 'pg'
import { connectDb } from '../../src/db/db.ts'
import type { Statement } from '../../src/db/statement.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import type { Place } from '../../src/modules/appointments/doctor-cursor.ts'
import type { Filters } from '../../src/modules/appointments/doctor-filters.ts'
import { findStatement } from '../../src/modules/appointments/find-doctors.ts'
import { madeSpecialityId } from '../../src/modules/appointments/import/incoming.ts'
import { languageOf } from '../../src/modules/appointments/language.ts'
import { type Shape, sharedStatement } from '../../src/modules/appointments/shared-pages.ts'
import { createDatabase } from '../support/harness.ts'
import { writeInventedDirectory } from '../support/invented-directory.ts'
import { memoryMiB, runCommand } from '../support/process.ts'

const DOCTORS = Number(process.env['DOCTORS'] ?? 100_000)
const SPECIALITIES = 1_000
const MOST_MEMORY_MIB = 300

const { ownerUrl, serveUrl } = await createDatabase()
const dir = await mkdtemp(join(tmpdir(), 'rounds-large-'))
after(() => rm(dir, { recursive: true }))
const client = new Client({ connectionString: ownerUrl })
await client.connect()
after(() => client.end())
// With four connections there is one for searches, so that a statement is explained where it was prepared.
const db = connectDb({
  url: serveUrl,
  poolSize: 4,
  maxWaiting: 10,
  maxWhenBusy: 10,
  deadlineMs: 60_000,
  warn: assert.fail,
  metrics: createMetrics(),
})
after(() => db.end())

test(`${DOCTORS} doctors are imported in bounded memory`, async () => {
  const file = join(dir, 'directory.json')
  await writeInventedDirectory(file, { doctors: DOCTORS, specialities: SPECIALITIES })
  const command = runCommand(['directory', 'import', file], { DATABASE_URL: ownerUrl })
  let peakMiB = 0
  const watching = setInterval(() => {
    peakMiB = Math.max(peakMiB, memoryMiB(command.child.pid, 'VmHWM'))
  }, 200)
  const { code, output } = await command.ended
  clearInterval(watching)
  assert.equal(code, 0, output)
  assert.match(output, /specialities {2}1000 added, 0 changed, 0 unchanged/)
  assert.ok(output.includes(`doctors       ${DOCTORS} added, 0 changed, 0 unchanged`), output)
  assert.ok(peakMiB > 50 && peakMiB < MOST_MEMORY_MIB, `${peakMiB} MiB`)
})

const specialityId = madeSpecialityId('Invented Speciality 7')
/** Searches that are one range of one index, and those for which PostgreSQL has to choose. */
const ranges: [string, Filters][] = [
  ['the plain list', {}],
  ['a speciality', { specialityId }],
  ['a city', { city: 'Zurich' }],
]
const choices: [string, Filters][] = [
  ['a language that most speak', { language: languageOf('en') }],
  ['a language that few speak', { language: languageOf('cy') }],
  ['a name that nobody has', { q: 'xqzzq' }],
  ['a part that few names have', { q: 'quimar wenis' }],
  ['a part that some names have', { q: 'kalis' }],
  ['a part that all names have', { q: 'invented' }],
  ['the beginning of names', { q: 'dr. zel' }],
  ['one letter', { q: 'a' }],
  ['two letters that no name has', { q: 'qq' }],
  ['words of one letter', { q: 'a b c' }],
  ['signs', { q: '_%_' }],
  ['a language and one letter', { language: languageOf('cy'), q: 'a' }],
  ['a city and part of a name', { city: 'Pune', q: 'kalis' }],
  ['a speciality and a language that few speak', { specialityId, language: languageOf('cy') }],
  ['a city and a language that few speak', { city: 'Pune', language: languageOf('cy') }],
  ['a language that most speak and a name that nobody has', { language: languageOf('en'), q: 'xqzzq' }],
  ['fifty ids', { doctorId: Array.from({ length: 50 }, (_, index) => `nobody-${index}`) }],
  ['ids and a speciality', { doctorId: ['nobody-1', 'nobody-2'], specialityId }],
  ['all together', { specialityId, city: 'Pune', language: languageOf('en'), q: 'kal' }],
]
/** Pages that requests share, with values that many doctors have, few, and none. */
const shared: [string, Shape, string][] = [
  ['the plain list', 'all', ''],
  ['a speciality', 'of-speciality', specialityId],
  ['a city', 'in-city', 'zurich'],
  ['a language that most speak', 'of-language', 'en'],
  ['a language that few speak', 'of-language', 'cy'],
  ['a language that nobody speaks', 'of-language', 'mi'],
]
/** Searches that few doctors match, and the most blocks that their first page may read. */
const rare: [string, Filters, number][] = [
  ['a name that nobody has', { q: 'xqzzq' }, 500],
  ['two letters that no name has', { q: 'qq' }, 500],
  ['words of one letter that no name has', { q: 'q q' }, 2_000],
  ['signs', { q: "- '" }, 100],
  ['a language that nobody speaks', { language: languageOf('mi') }, 100],
  ['ids that nobody has', { doctorId: ['nobody-1', 'nobody-2'] }, 100],
  ['a language that few speak', { language: languageOf('cy') }, 5_000],
  ['a speciality and a language that few speak', { specialityId, language: languageOf('cy') }, 10_000],
  ['a city and a language that few speak', { city: 'Pune', language: languageOf('cy') }, 5_000],
  ['a language that most speak and a name that nobody has', { language: languageOf('en'), q: 'xqzzq' }, 500],
]

for (const [what, filters] of [...ranges, ...choices]) {
  test(`${what}: the first page and a deep one read no table from end to end`, async () => {
    for (const place of [null, await deepPlace()]) {
      for (const limit of [100, 1_000])
        for (const printed of ['listed_doctors', 'doctors_to_list'] as const)
          mustNotReadWholeTables(await planOf(filters, place, limit, { printed }))
    }
  })
}

for (const [what, filters, mostBlocks] of rare) {
  test(`${what}: the first page reads at most ${mostBlocks} blocks`, async () => {
    const blocks = blocksOf(await planOf(filters, null, 100, { options: 'analyze, buffers' }))
    assert.ok(blocks < mostBlocks, `${blocks} blocks`)
  })
}

for (const [what, shape, value] of shared) {
  test(`${what}: a shared page costs the same wherever it stands, and its plan is right for any value`, async () => {
    for (const place of [null, await deepPlace()]) {
      for (const limit of [10, 100]) {
        await run('set plan_cache_mode = force_generic_plan')
        const request = { value, after: place, subject: '' }
        const plan = await explain(sharedStatement(shape, limit, [request]), 'analyze, buffers')
        await run('set plan_cache_mode = auto')
        mustNotReadWholeTables(plan)
        assert.doesNotMatch(plan, /Sort Key: .*name_key/)
        assert.ok(blocksOf(plan) < 30 * limit, `${blocksOf(plan)} blocks for ${limit} doctors\n${plan}`)
      }
    }
  })
}

const run = (text: string) => db.query<Explained>({ name: '', text, values: [] }, { on: 'search' })

type Explain = { options?: string; printed?: 'listed_doctors' | 'doctors_to_list' }

function planOf(
  filters: Filters,
  place: Place | null,
  limit: number,
  { options = 'costs', printed = 'listed_doctors' }: Explain = {},
): Promise<string> {
  return explain(findStatement(filters, { after: place, limit }, printed), options)
}

async function explain({ text, values }: Statement, options: string): Promise<string> {
  const literals = values.map(literalOf).join(', ')
  await run(`prepare explained as ${text}`)
  const rows = await run(`explain (${options}) execute explained${literals && `(${literals})`}`)
  await run('deallocate explained')
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

function blocksOf(plan: string): number {
  const [, hit, read] = /Buffers: shared hit=(\d+)(?: read=(\d+))?/.exec(plan) ?? []
  assert.ok(hit, plan)
  return Number(hit) + Number(read ?? 0)
}

type Explained = { 'QUERY PLAN': string }

function mustNotReadWholeTables(plan: string) {
  assert.doesNotMatch(plan, /Seq Scan on (doctors|doctor_specialities|listed_doctors)\b/)
}

/** Nine tenths into the list. */
async function deepPlace(): Promise<Place> {
  const { rows } = await client.query<Place>(
    `select name_key as "nameKey", doctor_id as "doctorId"
    from appointments.doctors
    order by name_key, doctor_id
    offset $1
    limit 1`,
    [DOCTORS * 0.9],
  )
  const [place] = rows
  assert.ok(place)
  return place
}

/** A list as PostgreSQL writes one; its elements have no quotes or backslashes here. */
const literalOf = (value: unknown) =>
  escapeLiteral(Array.isArray(value) ? `{${value.map((one) => `"${one}"`).join()}}` : String(value))
