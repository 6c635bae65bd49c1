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

/** Of a list that was merged from several cells. */
export type CellsOfList = {
  asked: string[]
  /** Whose patients are not in it. */
  missing: MissingCell[]
  /**
   * Patients moved from cell to cell since the page before. A list by name goes on as if they had not. In any other order a patient may
   * stand elsewhere now, because the new cell has to prepare them: read the list from its start.
   */
  haveMoved: boolean
}

type Part = { data: unknown[]; nextCursor: string | null; cell?: PartOfList }
type Query = { limit?: number | undefined; cursor?: string | undefined }

/** A list of which each cell has a part. */
export type ListOfCells<Asked extends Query, Answer extends Part> = {
  /** Asks one cell, or without its name the service. */
  ask: (cell: string | undefined, query: Asked, options: CallOptions) => Promise<Answer>
  /** The size of a page where the query names none. */
  limit: number
  /** What is not the same in all answers, and is neither the page nor its cursor. */
  combine?: (answers: ReadonlyMap<string, Answer>) => Partial<Answer>
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
  const [cursor, layoutBefore] = query.cursor?.split(LAYOUT) ?? []
  const asked = { ...query, limit, cursor }
  for (let attempt = 1; ; attempt++) {
    const { answers, missing } = await askOnce(names, (cell) => list.ask(cell, asked, ofOneCell(options)))
    const parts = [...answers.values()]
    const { hasAll, isUnclear } = coverageOf(parts)
    const isWhole = !isUnclear && (hasAll || missing.length > 0)
    if (!isWhole && attempt < ATTEMPTS) {
      await pause(PAUSE_MS, options.signal)
      continue
    }
    // An old cell that was restored might show who has stopped sharing since.
    if (isUnclear) throw claimedTwice()
    if (!hasAll && missing.length === 0) missing.push(SERVED_NOWHERE)
    const layout = missing.length > 0 ? '' : layoutOf(answers)
    const haveMoved = Boolean(layoutBefore && layout && layoutBefore !== layout)
    const { nextCursor, ...page } = merge(parts, limit)
    return {
      ...(page as Answer),
      ...list.combine?.(answers),
      nextCursor: nextCursor === null ? null : `${nextCursor}${LAYOUT}${layout}`,
      cells: { asked: names, missing, haveMoved },
    }
  }
}

/** Not in a cursor of the service. What follows it says which cell had which slots. */
const LAYOUT = '.'

/** A hash (FNV-1a) of which cell has which slots. */
function layoutOf(answers: ReadonlyMap<string, Part>): string {
  let hash = 0x811c9dc5
  for (const [name, { cell }] of answers)
    for (const character of `${name} ${cell?.slots ?? 'all'},`)
      hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(16)
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

/** The answers by the names of the cells, in the order of the names. */
async function askOnce<Answer>(names: string[], ask: (cell: string) => Promise<Answer>) {
  const results = await Promise.all(
    names.map(async (cell) => {
      try {
        return { cell, answer: await ask(cell) }
      } catch (error) {
        if (!(error instanceof RoundsError) || !error.retryable) throw error
        return { cell, error }
      }
    }),
  )
  const answers = new Map<string, Answer>()
  const missing: MissingCell[] = []
  for (const { cell, answer, error } of results) {
    if (error) missing.push({ cell, code: error.code, message: error.message })
    else if (answer !== undefined) answers.set(cell, answer)
  }
  const [first] = results
  if (answers.size === 0 && first?.error) throw first.error
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

/** For all items of a list, which are all only where no cell is missing. */
export function mustBeWhole<Answer>(page: Merged<Answer>): Merged<Answer> {
  const [missing] = page.cells?.missing ?? []
  if (missing) throw new RoundsError({ ...missing, retryable: true })
  return page
}
