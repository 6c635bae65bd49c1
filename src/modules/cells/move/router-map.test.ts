// The map of the routers when several moves change it at once. What a real HAProxy makes of it: test/cells/router*.test.ts.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { temporaryDirectory } from '../../../../test/support/dev.ts'
import { runProgram } from '../../../../test/support/process.ts'
import { SLOT_COUNT } from '../slot.ts'
import { changeRouterMap } from './router-map.ts'

function newMap(): string {
  const path = join(temporaryDirectory(), 'cells.map')
  writeFileSync(path, Array.from({ length: SLOT_COUNT }, (_, slot) => `${slot} cell_a\n`).join(''))
  return path
}

/** Takes a map as HAProxy does: prepared, added to in parts, and committed. */
async function startRouter(delayMs: number) {
  const socket = join(temporaryDirectory(), 'router.sock')
  const prepared = new Map<string, string>()
  let versions = 0
  let committed = ''
  function answer(command: string): string {
    const [, version = '', lines = ''] = /^add map @(\d+) \S+ <<\n([^]*?)\n\n/.exec(command) ?? []
    if (version !== '') prepared.set(version, `${prepared.get(version) ?? ''}${lines}\n`)
    else if (command.startsWith('prepare')) return `New version created: ${++versions}\n`
    else committed = prepared.get(/@(\d+)/.exec(command)?.[1] ?? '') ?? ''
    return ''
  }
  const server = createServer((connection) => {
    let command = ''
    connection.setEncoding('utf8').on('data', (data: string) => {
      command += data
      if (command.includes('<<') ? !command.endsWith('\n\n') : !command.endsWith('\n')) return
      setTimeout(() => connection.end(answer(command)), delayMs)
    })
  })
  await new Promise<void>((done) => server.listen(socket, done))
  after(() => server.close())
  return { socket, map: () => committed }
}

const rangeOf = (index: number) => ({ first: 100 * index, last: 100 * index + 99 })

test('moves that end at once keep the changes of each other, in the file and in every router', async () => {
  const path = newMap()
  const routers = [await startRouter(0), await startRouter(5)]
  const sockets = routers.map(({ socket }) => socket)
  const all = Array.from({ length: 6 }, (_, index) => index)
  // Each names the routers in another order.
  const failures = await Promise.all(
    all.map((index) =>
      changeRouterMap(
        { path, backend: `cell_${index}`, sockets: index % 2 ? sockets : sockets.toReversed() },
        rangeOf(index),
      ),
    ),
  )
  assert.deepEqual(failures.flat(), [])
  const written = readFileSync(path, 'utf8')
  for (const index of all)
    assert.equal(written.split('\n').filter((line) => line.endsWith(` cell_${index}`)).length, 100)
  for (const router of routers) assert.equal(router.map(), written)
  assert.ok(!existsSync(`${path}.lock`))
})

test('so do moves of several processes', async () => {
  const path = newMap()
  const module = join(import.meta.dirname, 'router-map.ts')
  const change = (index: number) =>
    `import { changeRouterMap } from ${JSON.stringify(module)}
     for (let at = 0; at < 20; at++)
       await changeRouterMap({ path: ${JSON.stringify(path)}, backend: 'cell_${index}', sockets: [] }, { first: ${100 * index} + at, last: ${100 * index} + at })`
  const args = (index: number) => ['--input-type=module-typescript', '--eval', change(index)]
  const ended = await Promise.all(
    [0, 1, 2].map((index) => runProgram(process.execPath, args(index), {}).ended),
  )
  assert.deepEqual(
    ended.map(({ code, output }) => [code, output]),
    [0, 1, 2].map(() => [0, '']),
  )
  const written = readFileSync(path, 'utf8').split('\n')
  for (const index of [0, 1, 2])
    assert.equal(written.filter((line) => line.endsWith(` cell_${index}`)).length, 20)
})

test('the lock of a process that was killed, or of a machine that is gone, is taken over', async () => {
  const path = newMap()
  const { child, ended } = runProgram(process.execPath, ['--eval', ''], {})
  await ended
  const change = (index: number) =>
    changeRouterMap({ path, backend: `cell_${index}`, sockets: [] }, rangeOf(index))
  writeFileSync(`${path}.lock`, `${hostname()} ${child.pid} killed`)
  await change(1)
  writeFileSync(`${path}.lock`, 'another-machine.example 1 silent')
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(`${path}.lock`, longAgo, longAgo)
  await Promise.all([change(2), change(3), change(4)])
  const written = readFileSync(path, 'utf8').split('\n')
  for (const index of [1, 2, 3, 4])
    assert.equal(written.filter((line) => line.endsWith(` cell_${index}`)).length, 100)
  assert.ok(!existsSync(`${path}.lock`))
})
