// What is mutated, which tests are to notice it, the quickest first, and which share of the mutants they must kill, in percent.
export type Target = { source: string; tests: string[]; floor: number }

const BATCH_TESTS = [
  'src/db/batch-rules.test.ts',
  'src/db/batch-queue.test.ts',
  'src/db/batch.test.ts',
  'src/db/batch-simulation.test.ts',
]
const ISOLATE_TESTS = [
  'src/db/isolate.test.ts',
  'src/db/isolate-blocked.test.ts',
  'src/db/batch.test.ts',
  'src/db/batch-simulation.test.ts',
]
const ADMISSION_TESTS = [
  'src/http/limits/admission-limit.test.ts',
  'src/http/limits/admission-shares.test.ts',
  'src/http/limits/admission-loop.test.ts',
]
const JSON_TESTS = [
  'src/http/json/scan-json.test.ts',
  'src/http/json/exact-number.test.ts',
  'src/http/json/json-pointers.test.ts',
  'src/http/json/json-limits.test.ts',
  'src/http/json/strict-json.test.ts',
]

export const TARGETS: Target[] = [
  { source: 'src/db/batch.ts', tests: BATCH_TESTS, floor: 98 },
  { source: 'src/db/isolate.ts', tests: ISOLATE_TESTS, floor: 95 },
  { source: 'src/http/limits/admission-control.ts', tests: ADMISSION_TESTS, floor: 98 },
  { source: 'src/http/json/scan-json.ts', tests: JSON_TESTS, floor: 88 },
  { source: 'src/http/json/exact-number.ts', tests: JSON_TESTS, floor: 93 },
  { source: 'src/http/json/json-keys.ts', tests: JSON_TESTS, floor: 83 },
  { source: 'src/http/json/strict-json.ts', tests: JSON_TESTS, floor: 94 },
  {
    source: 'src/http/json/pieces.ts',
    tests: ['src/http/json/share-of-iteration.test.ts', 'src/http/json/pieces.test.ts'],
    floor: 95,
  },
]
