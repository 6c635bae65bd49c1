// The table of mutants, without running any: what it names must be there, or the lab proves nothing.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { MUTANTS, SHORT } from './mutants.ts'
import { ROOT } from './worktree.ts'

const sourceOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

test('there are sixty mutants, each with a name of its own', () => {
  assert.ok(MUTANTS.length >= 60, `There are ${MUTANTS.length}.`)
  assert.equal(new Set(MUTANTS.map(({ name }) => name)).size, MUTANTS.length)
  assert.ok(MUTANTS.some(({ name }) => name === SHORT))
})

test('the text of each mutant stands once in its file', () => {
  const lost = MUTANTS.filter(
    ({ file, from }) => !existsSync(file) || sourceOf(file).split(from).length !== 2,
  )
  assert.deepEqual(
    lost.map(({ name, file }) => `${name}: ${file}`),
    [],
  )
})

test('each mutant changes its file, and leaves it a program', () => {
  for (const { name, file, from, to } of MUTANTS) {
    assert.notEqual(from, to, name)
    if (file.endsWith('.ts'))
      assert.doesNotThrow(() => stripTypeScriptTypes(sourceOf(file).replace(from, () => to)), name)
  }
})

test('the test that noticed each mutant exists', () => {
  const lost = MUTANTS.filter(({ noticedBy }) => !existsSync(join(ROOT, noticedBy)))
  assert.deepEqual(
    lost.map(({ name, noticedBy }) => `${name}: ${noticedBy}`),
    [],
  )
})
