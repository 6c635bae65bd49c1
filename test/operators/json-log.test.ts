// Every line that `rounds serve` writes is JSON, also what Node itself would say: a log collector reads nothing else.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { AUDIENCE, closeServer, createDatabase, listen, startIssuer } from '../support/harness.ts'
import { type Ended, runCommand, serveInProcess, untilSaid } from '../support/process.ts'

type Line = { level: number; time: number; msg: string } & Record<string, unknown>

/** The lines of a process, of which each must be JSON. */
function linesOf(output: string): Line[] {
  const lines = output.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    assert.match(line, /^\{.*\}$/)
    const parsed = JSON.parse(line) as Line
    if (parsed.msg !== undefined) assert.equal(typeof parsed.msg, 'string', line)
    assert.deepEqual([typeof parsed.level, typeof parsed.time], ['number', 'number'], line)
    return parsed
  })
}

async function settingsOf(): Promise<Record<string, string>> {
  const [{ serveUrl }, issuer] = await Promise.all([createDatabase(), startIssuer()])
  return { DATABASE_URL: serveUrl, AUTH_ISSUER: issuer.url, AUTH_AUDIENCE: AUDIENCE }
}

/** What a process does beside serving, as a module that Node loads first. */
const loading = (source: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}`,
})

function oneLine({ output }: Ended, pattern: RegExp): Line {
  const found = linesOf(output).filter(({ msg }) => pattern.test(msg))
  assert.equal(found.length, 1, output)
  return found[0] as Line
}

test('a whole life is in JSON, with warnings and deprecations of Node', async () => {
  const server = await serveInProcess({
    ...(await settingsOf()),
    ...loading(`
      process.emitWarning('an early warning')
      process.on('SIGUSR2', () => {
        process.emitWarning('this is old', 'DeprecationWarning', 'DEP9999')
        new Buffer(1)
      })`),
  })
  assert.equal((await fetch(`${server.url}/nothing`)).status, 404)
  server.child.kill('SIGUSR2')
  await untilSaid(server, /DEP0005/)
  server.child.kill('SIGTERM')
  const ended = await server.ended
  assert.equal(ended.code, 0)
  assert.deepEqual(
    [oneLine(ended, /an early warning/).level, oneLine(ended, /^this is old$/)['code']],
    [40, 'DEP9999'],
  )
  assert.equal(oneLine(ended, /^Rounds answers at /).level, 30)
})

for (const [what, source] of [
  ['an exception that nobody catches', "throw new TypeError('secret-' + 'value')"],
  ['a promise that nobody awaits', "Promise.reject(new TypeError('secret-' + 'value'))"],
  ['something thrown that is no error', "throw 'secret-' + 'value'"],
] as const) {
  test(`${what} ends the process with 1 and a line that names the place, and no value`, async () => {
    const server = await serveInProcess({
      ...(await settingsOf()),
      ...loading(`process.on('SIGUSR2', () => { ${source} })`),
    })
    server.child.kill('SIGUSR2')
    const ended = await server.ended
    assert.equal(ended.code, 1)
    const { level, fault, at } = oneLine(ended, /^a fault of ours ends the process$/)
    assert.equal(level, 60)
    if (source.includes('TypeError')) assert.deepEqual([fault, Array.isArray(at)], ['TypeError', true])
    assert.equal(ended.output.includes('secret-value'), false)
  })
}

test('a start that fails is in JSON: settings, an option, and a port that is taken', async () => {
  const settings = await settingsOf()
  const missing = await runCommand(['serve'], {}).ended
  assert.equal(missing.code, 1)
  assert.equal(oneLine(missing, /DATABASE_URL[^]*AUTH_ISSUER/).level, 60)
  const misspelt = await runCommand(['serve', '--prot', '80'], settings).ended
  assert.equal(misspelt.code, 1)
  assert.equal(oneLine(misspelt, /no option "prot"/).level, 60)
  const other = createServer()
  const { port } = new URL(await listen(other))
  const taken = await runCommand(['serve'], { ...settings, HOST: '127.0.0.1', PORT: port, ADMIN_PORT: '0' })
    .ended
  await closeServer(other)
  assert.equal(taken.code, 1)
  assert.equal(oneLine(taken, /EADDRINUSE/).level, 60)
})

test('a stop that leaves something behind says so in JSON', async () => {
  const server = await serveInProcess({
    ...(await settingsOf()),
    ...loading(`setInterval(() => {}, 1000)`),
  })
  server.child.kill('SIGINT')
  assert.equal(
    oneLine(await server.ended, /^The process ends although something was left: .*Timeout/).level,
    40,
  )
})

test('help is for people', async () => {
  const { code, output } = await runCommand(['serve', '--help']).ended
  assert.deepEqual([code, output.startsWith('rounds serve: ')], [0, true])
})
