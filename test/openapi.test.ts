import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { startRounds } from './harness.ts'

const rounds = await startRounds()

type Operation = { operationId?: string; responses: Record<string, { content: Record<string, object> }> }
type Document = { openapi: string; paths: Record<string, Record<string, Operation>> }
const readDocument = async () => JSON.parse((await rounds.call('/openapi.json')).text) as Document

test('the document is OpenAPI 3.1 and names every operation, with an example of every answer', async () => {
  const { openapi, paths } = await readDocument()
  assert.match(openapi, /^3\.1/)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
  )
  assert.deepEqual(operations.map(({ name }) => name).toSorted(), [
    'get /appointments/doctors/list',
    'get /appointments/doctors/specialities/list',
    'get /casesheet/readings/get',
    'get /casesheet/readings/latest',
    'get /casesheet/readings/statistics',
    'post /casesheet/readings/add',
  ])
  for (const { name, responses } of operations) {
    for (const [status, { content }] of Object.entries(responses)) {
      if (status === '304') continue
      const [media] = Object.values(content ?? {})
      assert.ok(media && ('example' in media || 'examples' in media), `${name} ${status} has no example`)
    }
  }
})

test('the document is clean under redocly lint', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'rounds-openapi-')), 'openapi.json')
  await writeFile(file, (await rounds.call('/openapi.json')).text)
  const redocly = join(import.meta.dirname, '../node_modules/.bin/redocly')
  const { stdout, stderr } = await promisify(execFile)(redocly, ['lint', '--format=json', file], {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
  })
  const { totals } = JSON.parse(stdout) as { totals: object }
  assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 }, stderr)
})

test('the reference pages show the operations in a browser and fetch nothing from elsewhere', async () => {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    const elsewhere: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(rounds.url) && !/^(data|blob):/.test(request.url()))
        elsewhere.push(request.url())
    })
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${rounds.url}/docs`, { waitUntil: 'networkidle' })
    for (const operation of [
      'Get doctors list',
      'Get doctor specialties list',
      'Add readings of the patient',
      'Fetch readings of the patient',
      'Fetch the newest reading of each type',
      'Summarise readings of one type by hour, day, week or month',
    ]) {
      await page.getByText(operation).first().waitFor()
    }
    assert.deepEqual([elsewhere, complaints], [[], []])
  } finally {
    await browser.close()
  }
})
