import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { createRequestLog, curlOf } from '../src/request-log.ts'

const log = createRequestLog(async () => new Response())

test('requests of a screen are noted without their token, the newest, each once', async () => {
  const headers = { authorization: 'Bearer secret', accept: 'text/csv' }
  await log.fetch('https://rounds.example/a?x=1', { headers })
  await log.fetch('https://rounds.example/a?x=1', { headers })
  assert.equal(log.sent().length, 1)
  assert.doesNotMatch(JSON.stringify(log.sent()), /secret/)
  for (let number = 0; number < 50; number++) await log.fetch(`https://rounds.example/${number}`, {})
  assert.equal(log.sent().length, 12)
  assert.equal(log.sent().at(-1)?.url, 'https://rounds.example/49')
  log.clear()
  assert.deepEqual(log.sent(), [])
})

test('what a screen asks of every type does not push out what it asks once', async () => {
  const own = createRequestLog(async () => new Response())
  await own.fetch('https://rounds.example/latest?patientUid=p', {})
  for (let number = 0; number < 50; number++)
    for (const path of ['statistics', 'get'])
      await own.fetch(`https://rounds.example/${path}?n=${number}`, {})
  const urls = own.sent().map(({ url }) => url)
  assert.equal(urls.length, 12)
  assert.equal(urls[0], 'https://rounds.example/latest?patientUid=p')
  assert.deepEqual(urls.slice(-2), [
    'https://rounds.example/statistics?n=49',
    'https://rounds.example/get?n=49',
  ])
})

test('a shell takes a line as it is meant, whatever stands in it', () => {
  const hostile = `it's "$HOME" \`id\` $(id) \\ ; rm -rf`
  const line = curlOf({
    url: `https://rounds.example/?q=${hostile}`,
    method: 'POST',
    accept: undefined,
    body: JSON.stringify({ hostile }),
  })
  const printed = execFileSync('sh', ['-c', line.replace(/^curl/, 'printf "%s\\n"')], {
    encoding: 'utf8',
    env: { TOKEN: 't', PATH: process.env['PATH'] },
  })
  assert.deepEqual(printed.trimEnd().split('\n'), [
    `https://rounds.example/?q=${hostile}`,
    '-H',
    'Authorization: Bearer t',
    '-H',
    'Content-Type: application/json',
    '-d',
    JSON.stringify({ hostile }),
  ])
})
