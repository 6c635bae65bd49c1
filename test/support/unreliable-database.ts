// A stand-in for PostgreSQL that fails in every way a real one has been seen to, as chance has it: it is the world that
// src/db/batch-simulation.lab.ts puts the shared statements into. Rows are kept by their key, as in
// `insert … on conflict do nothing`; what it counts is what the promises are about.
import { type ConnectionKind, SESSIONS } from '../../src/db/connections.ts'

export type Item = {
  id: number
  /** Whose row it is. */
  patient: number
  weight: number
  /** A row that the database refuses. */
  isBad: boolean
  /** A row with which a statement takes too long. */
  isSlow: boolean
  /** Until when another transaction holds the row locked. */
  lockedUntil: number
  hasBegun: boolean
  subject: string
}

/** As the settings of src/db/connections.ts: waiting for a connection, then for the answer. */
const CONNECT_TIMEOUT_MS = 3_000
const QUERY_TIMEOUT_MS = 6_000
const LONGEST_ATTEMPT_MS = CONNECT_TIMEOUT_MS + QUERY_TIMEOUT_MS

type Faults = {
  /** How many of 100 statements meet a fault, until `faultsEndAt`. */
  percent: number
  faultsEndAt: number
  random: () => number
  now: () => number
}

const withCode = (code: string) => Object.assign(new Error(`invented ${code}`), { code })

/** How a statement may fail: after how long, whether the rows were stored nevertheless, and what the driver says. */
const FAULTS: { ms: number; stores: 'never' | 'before' | 'later'; error: () => Error }[] = [
  { ms: 1, stores: 'never', error: () => withCode('ECONNREFUSED') },
  { ms: 20, stores: 'never', error: () => withCode('ECONNRESET') },
  { ms: 20, stores: 'before', error: () => withCode('ECONNRESET') },
  { ms: 20, stores: 'before', error: () => new Error('Connection terminated unexpectedly') },
  { ms: 5, stores: 'never', error: () => withCode('57P01') },
  { ms: 5, stores: 'never', error: () => withCode('25006') },
  { ms: 1_000, stores: 'never', error: () => withCode('40P01') },
  {
    ms: CONNECT_TIMEOUT_MS,
    stores: 'never',
    error: () => new Error('timeout exceeded when trying to connect'),
  },
  { ms: QUERY_TIMEOUT_MS, stores: 'before', error: () => new Error('Query read timeout') },
  { ms: QUERY_TIMEOUT_MS, stores: 'later', error: () => new Error('Query read timeout') },
  { ms: LONGEST_ATTEMPT_MS, stores: 'never', error: () => new Error('Query read timeout') },
]

export function createUnreliableDatabase({ percent, faultsEndAt, random, now }: Faults) {
  const stored = new Set<number>()
  const statements: Item[][] = []
  const out: Record<string, number> = { shared: 0, retry: 0 }
  const mostOut: Record<string, number> = { shared: 0, retry: 0 }
  /** Called before each statement goes out. */
  let onStatement: (items: Item[]) => void = () => {}

  const later = (ms: number) => new Promise<void>((resume) => setTimeout(resume, ms))
  const store = (items: Item[]) => items.forEach(({ id }) => stored.add(id))

  async function attempt(
    { values }: { values: unknown[] },
    on: ConnectionKind = 'shared',
  ): Promise<{ rows: never[]; rowCount: number }> {
    const items = values as Item[]
    onStatement(items)
    statements.push(items)
    out[on] = (out[on] ?? 0) + 1
    mostOut[on] = Math.max(mostOut[on] ?? 0, out[on])
    try {
      await run(items, SESSIONS[on])
      return { rows: items as never[], rowCount: items.length }
    } finally {
      out[on]--
    }
  }

  async function run(
    items: Item[],
    { lockTimeoutMs, statementTimeoutMs }: (typeof SESSIONS)[ConnectionKind],
  ) {
    const isBad = items.some((item) => item.isBad)
    const fault =
      now() < faultsEndAt && random() * 100 < percent
        ? FAULTS[Math.floor(random() * FAULTS.length)]
        : undefined
    if (!fault) {
      await later(1 + random() * 40)
      await waitForLocks(items, lockTimeoutMs)
      if (items.some((item) => item.isSlow)) {
        await later(statementTimeoutMs)
        throw withCode('57014')
      }
      if (isBad) throw withCode('22P02')
      return store(items)
    }
    const isPoisoned = items.some(({ isSlow, lockedUntil }) => isSlow || lockedUntil > now())
    const { ms, stores, error } = fault
    await later(ms * (0.5 + random() / 2))
    // A statement that still runs after its connection was lost may store at any time.
    if (stores === 'later')
      void later(random() * 5_000).then(() => (isBad || isPoisoned ? undefined : store(items)))
    if (stores === 'before' && !isBad && !isPoisoned) store(items)
    throw error()
  }

  async function waitForLocks(items: Item[], lockTimeoutMs: number) {
    for (const { lockedUntil } of items) {
      const waitMs = lockedUntil - now()
      if (waitMs <= 0) continue
      await later(Math.min(waitMs, lockTimeoutMs))
      if (waitMs > lockTimeoutMs) throw withCode('55P03')
    }
  }

  return {
    attempt,
    stored,
    statements,
    mostOut: (on: ConnectionKind) => mostOut[on] ?? 0,
    tell: (listener: (items: Item[]) => void) => void (onStatement = listener),
  }
}
