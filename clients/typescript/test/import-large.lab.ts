// A large export takes no more memory than a small one. `test/labs/import.lab.ts` does it at 3 GB.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costOfImport, withLargeExport } from './import-large.ts'

test('rounds import brings in 60 MB of XML in at most 256 MiB, in full batches', async () => {
  await withLargeExport(60_000_000, async (path, readings) => {
    const { output, batches, maxRssMiB } = await costOfImport(path)
    assert.match(
      output,
      /"readingType": "heartRate",\s+"unit": "\/min",\s+"count": \d+,\s+"from": "2020-01-01T/,
    )
    assert.ok(output.includes(`\n${readings} stored, 0 there already, 0 refused.\n`), output)
    assert.deepEqual(batches, [
      [1_000, Math.floor(readings / 1_000)],
      [readings % 1_000, 1],
    ])
    assert.ok(maxRssMiB > 40 && maxRssMiB <= 256, `${maxRssMiB} MiB`)
  })
})
