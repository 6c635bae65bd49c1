// A large export of Apple Health, invented: its XML in at most 256 MiB (`npm run lab imports`: 3 GB), and a part of it against a real server, twice.

import assert from 'node:assert/strict'
import { openAsBlob } from 'node:fs'
import { test } from 'node:test'
import { importReadings } from '../../clients/typescript/src/import/import-readings.ts'
import { clientOfNewPatient } from '../../clients/typescript/test/client-of.ts'
import { costOfImport, withLargeExport } from '../../clients/typescript/test/import-large.ts'
import { startRounds } from '../support/harness.ts'

const XML_BYTES = Number(process.env['IMPORT_BYTES'] ?? 300_000_000)
/** On two cores that others use, 3 GB take half an hour. */
const PATIENCE = { timeout: 3_600_000 }

test(`rounds import brings in ${XML_BYTES / 1e6} MB of XML in at most 256 MiB`, PATIENCE, async (t) => {
  await withLargeExport(XML_BYTES, async (path, readings) => {
    const { readings: sent, seconds, maxRssMiB } = await costOfImport(path)
    t.diagnostic(
      `${readings} readings: preview ${seconds[0]} s, import ${seconds[1]} s, ${maxRssMiB} MiB at most`,
    )
    assert.equal(sent, readings)
    assert.ok(maxRssMiB > 40 && maxRssMiB <= 256, `${maxRssMiB} MiB`)
  })
})

test('40 MB of XML are stored by a real server, and a second import stores nothing', async (t) => {
  const rounds = await startRounds({ RATE_LIMIT_BYTES_PER_MINUTE: '', PATIENT_BYTES_PER_DAY: '' })
  const { client, patientUid } = await clientOfNewPatient(rounds)
  await withLargeExport(40_000_000, async (path, readings) => {
    const blob = await openAsBlob(path)
    const file = { name: 'export.zip', size: blob.size, stream: () => blob.stream() }
    const begun = performance.now()
    const first = await importReadings(file, { client, patientUid })
    assert.deepEqual([first.stored, first.duplicates, first.stopped], [readings, 0, undefined])
    t.diagnostic(`${Math.round(readings / ((performance.now() - begun) / 1_000))} readings a second`)
    const second = await importReadings(file, { client, patientUid })
    assert.deepEqual([second.stored, second.duplicates, second.stopped], [0, readings, undefined])
  })
})
