import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { readDocument } from '../support/api-document.ts'
import { startRounds, WITH_WEBHOOKS } from '../support/harness.ts'
import { needs, programOf } from '../support/needs.ts'

const rounds = await startRounds(WITH_WEBHOOKS)

test('the document is OpenAPI 3.1 and names every operation', async () => {
  const { openapi, operations } = await readDocument(rounds)
  assert.match(openapi, /^3\.1/)
  const expected = [
    'get /appointments/doctors/list',
    'get /appointments/doctors/specialities/list',
    'get /care/alerts/list',
    'get /care/patients/list',
    'get /care/reports/blood-pressure',
    'get /care/reports/days-with-data',
    'get /care/reports/glucose',
    'get /care/reports/time-in-target',
    'get /care/rules/list',
    'get /care/targets/list',
    'get /care/targets/presets',
    'get /care/timeline',
    'get /casesheet/grants/history',
    'get /casesheet/grants/list',
    'get /casesheet/patients/list',
    'get /casesheet/readings/access-log',
    'get /casesheet/readings/changes',
    'get /casesheet/readings/get',
    'get /casesheet/readings/latest',
    'get /casesheet/readings/statistics',
    'get /casesheet/readings/stream',
    'get /casesheet/readings/types',
    'get /webhooks/attempts/list',
    'get /webhooks/endpoints/list',
    'post /care/alerts/acknowledge',
    'post /care/reviews/add',
    'post /care/reviews/undo',
    'post /care/rules/preview',
    'post /care/rules/remove',
    'post /care/rules/set',
    'post /care/targets/remove',
    'post /care/targets/set',
    'post /casesheet/grants/add',
    'post /casesheet/grants/revoke',
    'post /casesheet/readings/add',
    'post /casesheet/readings/restore',
    'post /casesheet/readings/withdraw',
    'post /webhooks/endpoints/add',
    'post /webhooks/endpoints/pause',
    'post /webhooks/endpoints/remove',
    'post /webhooks/endpoints/replay',
    'post /webhooks/endpoints/resume',
    'post /webhooks/endpoints/rotate-secret',
    'post /webhooks/endpoints/skip',
    'post /webhooks/endpoints/test',
  ]
  const names = operations.map(({ name }) => name).toSorted()
  assert.deepEqual(names, expected, 'Add the new operation to the list in this test, in order.')
})

test('the document is clean under redocly lint', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'rounds-openapi-')), 'openapi.json')
  await writeFile(file, (await rounds.call('/openapi.json')).text)
  const redocly = join(import.meta.dirname, '../../node_modules/.bin/redocly')
  const { stdout, stderr } = await promisify(execFile)(redocly, ['lint', '--format=json', file], {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
  })
  const { totals } = JSON.parse(stdout) as { totals: object }
  assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 }, stderr)
})

test(
  'the reference pages show the operations with their examples in a browser and fetch nothing from elsewhere',
  needs('chromium'),
  async () => {
    const browser = await chromium.launch({ executablePath: programOf('chromium'), args: ['--no-sandbox'] })
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
      assert.equal(await page.title(), 'Rounds')
      for (const operation of [
        'Get doctors list',
        'Get doctor specialties list',
        'Add readings of the patient',
        'Fetch readings of the patient',
        'Fetch the newest reading of each type',
        'Summarise readings of one type by hour, day, week or month',
        'Get the catalogue of reading types',
        'See who has read or corrected the readings of the patient',
      ]) {
        await page.getByText(operation).first().waitFor()
      }
      await page.getByText('Fetch readings of the patient').first().click()
      await page.getByText('?patientUid=patient-1&from=1761955200&to=1762041600&limit=20').first().waitFor()
      await page.getByRole('tab', { name: '403' }).last().click()
      await page.getByText('The access token is for another patient.').first().waitFor()
      assert.deepEqual([elsewhere, complaints], [[], []])
    } finally {
      await browser.close()
    }
  },
)
