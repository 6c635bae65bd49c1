// The list of a doctor whose patients are divided between cells. The router refuses to answer it for one of them; so each cell is asked,
// and the answers are merged. Each says which slots of patients it speaks for. The answers are the whole list if every slot is in
// exactly one of them. If not, patients moved from cell to cell meanwhile, and all are asked again.
//
// A cell that does not answer leaves a part out, and the merged answer says so.
import type { CallOptions } from './call.ts'
import type { PartOfList } from './contract.ts'
import { RoundsError, type RoundsErrorCode } from './rounds-error.ts'
import { pause } from './within.ts'

const SLOTS = 4_096
const ATTEMPTS = 5
const PAUSE_MS = 250
/** How long the other cells wait for one that does not answer. */
const MAX_WAIT_MS = 5_000

/** A part of the patients who are not in the list. */
export type MissingCell = {
  /** Null where no cell says that it serves them. */
  cell: string | null
  code: RoundsErrorCode
  message: string
}

/** Of a list that was merged from several cells: which ones were asked, and which patients are not in it. */
export type CellsOfList = { asked: string[]; missing: MissingCell[] }

type Part = { data: unknown[]; nextCursor: string | null; cell?: PartOfList }
type Query = { limit?: number | undefined }

/** A list of which each cell has a part. */
export type ListOfCells<Asked extends Query, Answer extends Part> = {
  /** Asks one cell, or without its name the service. */
  ask: (cell: string | undefined, query: Asked, options: CallOptions) => Promise<Answer>
  /** The size of a page where the query names none. */
  limit: number
}

/** `cells` is there where several were asked. */
export type Merged<Answer> = Answer & { cells?: CellsOfList }

export async function listAllCells<Asked extends Query, Answer extends Part>(
  list: ListOfCells<Asked, Answer>,
  query: Asked,
  options: CallOptions = {},
): Promise<Merged<Answer>> {
  try {
    return await list.ask(undefined, query, options)
  } catch (error) {
    if (!(error instanceof RoundsError) || error.code !== 'CellMissing') throw error
    return askEach(error.cells, list, query, options)
  }
}

async function askEach<Asked extends Query, Answer extends Part>(
  names: string[],
  list: ListOfCells<Asked, Answer>,
  query: Asked,
  options: CallOptions,
): Promise<Merged<Answer>> {
  const limit = query.limit ?? list.limit
  for (let attempt = 1; ; attempt++) {
    const { answers, missing } = await askOnce(names, (cell) =>
      list.ask(cell, { ...query, limit }, ofOneCell(options)),
    )
    const { hasAll, isUnclear } = coverageOf(answers)
    const isWhole = !isUnclear && (hasAll || missing.length > 0)
    if (!isWhole && attempt < ATTEMPTS) {
      await pause(PAUSE_MS, options.signal)
      continue
    }
    // An old cell that was restored might show who has stopped sharing since.
    if (isUnclear) throw claimedTwice()
    if (!hasAll && missing.length === 0) missing.push(SERVED_NOWHERE)
    return { ...merge(answers, limit), cells: { asked: names, missing } }
  }
}

/** What else might be repeated for minutes is a cell that is away, for which the patients of the others must not wait. */
function ofOneCell({ timeoutMs = MAX_WAIT_MS, mayRepeat, ...options }: CallOptions): CallOptions {
  return {
    ...options,
    timeoutMs: Math.min(timeoutMs, MAX_WAIT_MS),
    mayRepeat: (error, attemptMs) =>
      (error.code === 'PatientMoving' || error.code === 'ConnectionFailed') &&
      (mayRepeat?.(error, attemptMs) ?? true),
  }
}

async function askOnce<Answer>(names: string[], ask: (cell: string) => Promise<Answer>) {
  const answers: Answer[] = []
  const failures: { cell: string; error: RoundsError }[] = []
  await Promise.all(
    names.map(async (cell) => {
      try {
        answers.push(await ask(cell))
      } catch (error) {
        if (!(error instanceof RoundsError) || !error.retryable) throw error
        failures.push({ cell, error })
      }
    }),
  )
  if (answers.length === 0 && failures[0]) throw failures[0].error
  const missing: MissingCell[] = failures.map(({ cell, error: { code, message } }) => ({
    cell,
    code,
    message,
  }))
  return { answers, missing }
}

const SERVED_NOWHERE: MissingCell = {
  cell: null,
  code: 'PatientMoving',
  message: 'No cell says that it serves these patients.',
}

function claimedTwice(): RoundsError {
  return new RoundsError({
    code: 'WrongCell',
    message: 'Two cells say that they serve the same patients. The operator has to see "rounds cell status".',
    retryable: true,
  })
}

/** Whether every slot is in an answer, and whether one is in two of them. */
function coverageOf(answers: readonly Part[]): { hasAll: boolean; isUnclear: boolean } {
  const isServed = new Set<number>()
  let count = 0
  for (const { cell } of answers) {
    // A cell that serves every patient says nothing of slots.
    for (const range of cell === undefined ? [`0-${SLOTS - 1}`] : cell.slots.split(',').filter(Boolean)) {
      const [first = 0, last = first] = range.split('-').map(Number)
      for (let slot = first; slot <= last; slot++, count++) isServed.add(slot)
    }
  }
  return { hasAll: isServed.size === SLOTS, isUnclear: count > isServed.size }
}

/** The first `limit` of all parts. Its cursor is a place in the order of the list, at which every cell goes on. */
function merge<Answer extends Part>(answers: readonly Answer[], limit: number): Answer {
  // No slot is in two answers: if one of them has all slots, the others are empty.
  const whole = answers.find(({ cell }) => cell === undefined)
  if (whole) return whole
  const placed = answers.flatMap(({ data, cell }) =>
    data.map((item, index) => ({
      item,
      key: cell?.places[index]?.key ?? [],
      cursor: cell?.places[index]?.cursor,
    })),
  )
  const sign = answers[0]?.cell?.order === 'desc' ? -1 : 1
  const page = placed.sort((a, b) => sign * compareKeys(a.key, b.key)).slice(0, limit)
  const hasMore = placed.length > page.length || answers.some(({ nextCursor }) => nextCursor !== null)
  const { cell: _, ...first } = answers[0] as Answer
  const nextCursor = hasMore ? (page.at(-1)?.cursor ?? null) : null
  return { ...first, data: page.map(({ item }) => item), nextCursor } as Answer
}

type Key = PartOfList['places'][number]['key']

function compareKeys(a: Key, b: Key): number {
  for (const [index, one] of a.entries()) {
    const other = b[index]
    const order =
      typeof one === 'number' && typeof other === 'number'
        ? one - other
        : compareTexts(String(one), String(other))
    if (order !== 0) return order
  }
  return 0
}

/** By code points, as PostgreSQL does with collation C. `<` compares halves of surrogate pairs. */
function compareTexts(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  // The first half of a pair was the same.
  if (at > 0 && (isSecondHalf(a, at) || isSecondHalf(b, at))) at--
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1)
}

function isSecondHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}
