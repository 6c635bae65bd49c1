// Previews and imports a file in a process of its own, with a client that counts, and says how much memory that took.
import { openAsBlob } from 'node:fs'
import type { AddVerdicts } from '../src/client.ts'
import { importReadings, previewImport } from '../src/import/import-readings.ts'

const [path = ''] = process.argv.slice(2)
const blob = await openAsBlob(path)
const file = { name: 'export.zip', size: blob.size, stream: () => blob.stream() }
const patientUid = 'patient-of-a-large-export'
const sizes = new Map<number, number>()

const addReadingsEach = async (readings: unknown): Promise<AddVerdicts> => {
  const count = [readings].flat().length
  sizes.set(count, (sizes.get(count) ?? 0) + 1)
  const readingId = '3d1f6c2e-8b0a-8f4e-9c57-2a1b0c9d8e7f'
  return {
    code: 'Ok',
    message: '',
    data: Array.from({ length: count }, () => ({ verdict: 'stored' as const, readingId })),
  }
}

const begun = performance.now()
const preview = await previewImport(file, { patientUid })
const previewed = performance.now()
const result = await importReadings(file, { patientUid, client: { addReadingsEach } })
const seconds = [previewed - begun, performance.now() - previewed].map((ms) => Math.round(ms / 100) / 10)
const maxRssMiB = Math.round(process.resourceUsage().maxRSS / 1_024)
process.stdout.write(
  JSON.stringify({ types: preview.types, stored: result.stored, batches: [...sizes], seconds, maxRssMiB }),
)
