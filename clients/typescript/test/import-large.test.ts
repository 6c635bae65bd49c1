// A large export takes no more memory than a small one. `test/perf/import.perf.ts` does it at 3 GB.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costOfImport, withLargeExport } from './import-large.ts'

test('an export of 60 MB of XML is previewed and imported in at most 256 MiB, in full batches and in order', async () => {
  await withLargeExport(60_000_000, async (path, readings) => {
    const { types, stored, batches, maxRssMiB } = await costOfImport(path)
    assert.deepEqual(
      types.map(({ readingType, count }) => [readingType, count]),
      [['heartRate', readings]],
    )
    assert.equal(stored, readings)
    assert.deepEqual(batches, [
      [1_000, Math.floor(readings / 1_000)],
      [readings % 1_000, 1],
    ])
    assert.ok(maxRssMiB <= 256, `${maxRssMiB} MiB`)
  })
})
