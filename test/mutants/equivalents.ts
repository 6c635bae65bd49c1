// Mutants that no test can kill, because they change nothing that a caller could see, each with the reason. One that names no
// mutant any more makes the run fail, so that the list stays true.
export type Equivalent = { source: string; why: string; changes: string[] }

export const EQUIVALENTS: Equivalent[] = [
  {
    source: 'src/db/batch.ts',
    why: 'An empty queue gives an empty batch, which is not sent.',
    changes: ['queue.length > 0 && maySend() → queue.length >= 0 && maySend()'],
  },
  {
    source: 'src/db/isolate.ts',
    why: 'Only the order of the levels matters.',
    changes: ['SUSPECT_LEVEL = 6 → SUSPECT_LEVEL = 7', 'level: 0 → level: 1'],
  },
  {
    source: 'src/db/isolate.ts',
    why: 'A part without requests is not sent.',
    changes: ['first < items.length → first <= items.length'],
  },
  {
    source: 'src/db/isolate.ts',
    why: 'It saves a search among no keys.',
    changes: [
      'blockedByKey.size > 0 && keysOf(item).some((key) => blockedByKey.has(key)) → blockedByKey.size >= 0 && keysOf(item).some((key) => blockedByKey.has(key))',
    ],
  },
  {
    source: 'src/db/isolate.ts',
    why: 'The keys of a blocked request are counted.',
    changes: ['blockedByKey.get(key) ?? 0 → blockedByKey.get(key) ?? 1 #2'],
  },
  {
    source: 'src/http/json/scan-json.ts',
    why: 'A scan is overwritten before it is read.',
    changes: ['end: 0 → end: 1', 'keys: 0 → keys: 1', 'cost: 0 → cost: 1'],
  },
  {
    source: 'src/http/json/scan-json.ts',
    why: 'A string or number ends behind its start, so its end is never 0.',
    changes: [
      'if (end < 0) fault = UNSTORABLE → if (end <= 0) fault = UNSTORABLE',
      'end < 0 → end < 1',
      "end < 0 && !isExact(body.toString('latin1', at, -end)) → end <= 0 && !isExact(body.toString('latin1', at, -end))",
      'end < 0 → end < 1 #2',
    ],
  },
  {
    source: 'src/http/json/scan-json.ts',
    why: 'Behind the last byte there is undefined, which is no white space, quote or letter.',
    changes: [
      'at < length && isBetweenValues(body[at] as number) → at <= length && isBetweenValues(body[at] as number)',
      'at < length → at <= length',
    ],
  },
  {
    source: 'src/http/json/scan-json.ts',
    why: 'It only decides from where a text is searched natively, which finds the same end.',
    changes: [
      'PLAIN_BYTES = 512 → PLAIN_BYTES = 513',
      'searchFrom = start + PLAIN_BYTES → searchFrom = start - PLAIN_BYTES',
      'quoteAt = -1 → quoteAt = 1',
      '-1 → -2',
    ],
  },
  {
    source: 'src/http/json/exact-number.ts',
    why: 'At the end of the digits stands an e or nothing.',
    changes: [
      'start < end && isZeroOrPoint(number.charCodeAt(start)) → start <= end && isZeroOrPoint(number.charCodeAt(start))',
    ],
  },
  {
    source: 'src/http/limits/admission-control.ts',
    why: 'So many requests are never in work in one process.',
    changes: ['MAX_LIMIT = 1_000_000 → MAX_LIMIT = 1000001'],
  },
  {
    source: 'src/http/limits/admission-control.ts',
    why: 'It is set when the first iteration begins, before it is read.',
    changes: ['iterationBegan = 0 → iterationBegan = 1'],
  },
]
