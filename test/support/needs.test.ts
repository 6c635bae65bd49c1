// Programs are found by their setting, the PATH, or where packages put them; a test that lacks one is skipped, but not in CI.
import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { findInstalledPostgres } from '../../tools/dev/find-postgres.ts'
import { findProgram } from '../../tools/dev/find-program.ts'
import { temporaryDirectory } from './dev.ts'
import { needs } from './needs.ts'

const { PATH, CI_FORBIDS_SKIPS } = process.env
afterEach(() => {
  process.env['PATH'] = PATH
  delete process.env['INVENTED_TOOL']
  delete process.env['CI_FORBIDS_SKIPS']
  if (CI_FORBIDS_SKIPS !== undefined) process.env['CI_FORBIDS_SKIPS'] = CI_FORBIDS_SKIPS
})

function makeProgram(dir: string, name: string, output = '') {
  const file = join(dir, name)
  writeFileSync(file, `#!/bin/sh\necho '${output}'\n`)
  chmodSync(file, 0o755)
  return file
}

test('a program is that of its setting, else the first on the PATH', () => {
  const [one, other] = [temporaryDirectory(), temporaryDirectory()]
  const [first, second] = [one, other].map((dir) => makeProgram(dir, 'invented-tool'))
  writeFileSync(join(one, 'no-program'), '')
  process.env['PATH'] = `${one}:${other}`
  assert.equal(findProgram('invented-tool'), first)
  assert.equal(findProgram('no-program'), undefined)
  process.env['INVENTED_TOOL'] = second
  assert.equal(findProgram('invented-tool'), second)
  process.env['INVENTED_TOOL'] = '/nowhere'
  assert.equal(findProgram('invented-tool'), undefined)
})

test('a test that needs what is missing is skipped with a reason, and fails where CI forbids it', () => {
  delete process.env['CI_FORBIDS_SKIPS']
  assert.deepEqual(needs('sh'), {})
  assert.deepEqual(needs('sh', 'invented-tool'), { skip: 'invented-tool is not installed' })
  process.env['CI_FORBIDS_SKIPS'] = '1'
  assert.throws(
    () => needs('invented-tool'),
    /^Error: CI skips no test, but invented-tool is not installed\.$/,
  )
})

test('PostgreSQL is found on the PATH, and where pg_config says, if it is of a version that Rounds takes', async () => {
  const [old, fitting, named] = [temporaryDirectory(), temporaryDirectory(), temporaryDirectory()]
  for (const [dir, version] of [
    [old, '14.2'],
    [fitting, '16.9 (Invented 16.9-1)'],
    [named, '17.1'],
  ] as const) {
    makeProgram(dir, 'initdb')
    makeProgram(dir, 'postgres', `postgres (PostgreSQL) ${version}`)
  }
  makeProgram(old, 'pg_config', named)
  process.env['PATH'] = `${old}:${fitting}`
  assert.equal(await findInstalledPostgres(), fitting)
  assert.equal(await findInstalledPostgres([17]), named)
  assert.equal(await findInstalledPostgres([14]), old)
})
