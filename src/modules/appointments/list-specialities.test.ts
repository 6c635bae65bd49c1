import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillDirectory } from '../../../test/support/directory.ts'
import { assertRefused, runSql, startRounds } from '../../../test/support/harness.ts'
import { until } from '../../../test/support/until.ts'

const PATH = '/appointments/doctors/specialities/list'
const rounds = await startRounds()
const token = await rounds.token()
await fillDirectory(rounds.ownerUrl, {
  specialities: [
    { title: 'Obstetrics - Gynaecology', isActive: false },
    { title: 'Ear, Nose & Throat', specialityId: 'ent' },
    { title: 'Cardiology' },
  ],
  doctors: [],
})
const list = (headers: Record<string, string> = {}) => rounds.call(PATH, { token, headers })
const titles = async () => (await list()).json.data.map(({ title }) => title)
const addSpeciality = (title: string) =>
  runSql(rounds.ownerUrl, 'insert into appointments.specialities (speciality_id, title) values ($1, $1)', [
    title,
  ])

test('all specialities come in the exact envelope, in order of title, active or not', async () => {
  await until(async () => (await titles()).length === 3)
  const { status, json, headers } = await list()
  assert.equal(status, 200)
  assert.match(String(headers.get('content-type')), /^application\/json/)
  assert.deepEqual(Object.keys(json), ['status', 'message', 'data'])
  assert.equal(json.status, 'success')
  assert.match(json.message, /success/)
  assert.deepEqual(
    json.data.map(({ title, isActive }) => [title, isActive]),
    [
      ['Cardiology', true],
      ['Ear, Nose & Throat', true],
      ['Obstetrics - Gynaecology', false],
    ],
  )
  for (const speciality of json.data) {
    assert.deepEqual(Object.keys(speciality), ['slug', 'title', 'created', 'isActive', 'specialityId'])
    assert.equal(speciality['slug'], speciality['title'])
    assert.match(String(speciality['created']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  }
  assert.equal(json.data[1]?.['specialityId'], 'ent')
})

test('a caller that holds the list gets 304 without a body', async () => {
  const { headers, text } = await list()
  const etag = String(headers.get('etag'))
  assert.match(etag, /^"[^"]+"$/)
  assert.equal(headers.get('cache-control'), 'private, no-cache')
  for (const held of [etag, `W/${etag}`, `"other", ${etag}`, `"other",W/${etag} , "more"`, '*', ' * ']) {
    const answer = await list({ 'if-none-match': held })
    assert.deepEqual([answer.status, answer.text], [304, ''], held)
    assert.equal(answer.headers.get('etag'), etag)
    assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
  }
  for (const held of ['"other"', 'W/"other"', etag.slice(1, -1), '']) {
    const answer = await list({ 'if-none-match': held })
    assert.deepEqual([answer.status, answer.text], [200, text], held)
  }
})

test('HEAD answers the same headers without a body', async () => {
  const get = await list()
  const head = await rounds.call(PATH, { token, method: 'HEAD' })
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal(head.headers.get('etag'), get.headers.get('etag'))
})

test('a change by another connection shows, and changes the tag', async () => {
  const before = await list()
  await addSpeciality('Another Invented One')
  await until(async () => (await titles()).includes('Another Invented One'))
  assert.notEqual((await list()).headers.get('etag'), before.headers.get('etag'))
  await runSql(rounds.ownerUrl, 'delete from appointments.specialities where title = $1', [
    'Another Invented One',
  ])
  await until(async () => (await list()).text === before.text)
})

test('a listening connection that is cut is made again, and what changed meanwhile shows', async () => {
  await runSql(
    rounds.ownerUrl,
    `select pg_terminate_backend(pid)
    from pg_stat_activity
    where application_name = 'rounds listening'
      and datname = current_database()`,
  )
  await addSpeciality('While Nobody Listened')
  await until(async () => (await titles()).includes('While Nobody Listened'))
  await addSpeciality('After That')
  await until(async () => (await titles()).includes('After That'))
})

test('a list that was read once is served while the database cannot say whether it changed', async () => {
  const before = await list()
  await runSql(rounds.ownerUrl, 'revoke select on appointments.directory from rounds_server')
  await addSpeciality('Hidden For Now')
  await until(async () => rounds.log().includes('the version of the directory could not be read'))
  assert.equal((await list()).text, before.text)
  await runSql(rounds.ownerUrl, 'grant select on appointments.directory to rounds_server')
  await addSpeciality('Seen Again')
  await until(async () => (await titles()).includes('Hidden For Now'))
})

test('parameters that are not known are refused, and a token is needed', async () => {
  assertRefused(await rounds.call(`${PATH}?limit=1`, { token }), 400, 'ValidationFailed')
  assertRefused(await rounds.call(PATH), 401, 'TokenMissing')
})
