// A statement, and what comes of it.
import type { QueryResultRow } from 'pg'

export type Statement = {
  name: string
  text: string
  values: unknown[]
  /** What runs next on the same connection, before any row of this one leaves. */
  behind?: Behind
}

/**
 * A statement made of the rows of the one before it, such as their rows of the access log; and the rows as they leave, given the rows of
 * both. On the same connection, because a primary that was cut off from its standbys could still answer the first one.
 */
export type Behind = {
  statementFor: (rows: QueryResultRow[]) => Statement
  answersFrom: (rows: QueryResultRow[], behind: QueryResultRow[]) => QueryResultRow[]
}

/**
 * Behind a read that logs nothing: a commit for which the standbys are waited. So a primary that was cut off answers nothing there
 * either.
 */
export const DURABLE: Behind = {
  statementFor: () => ({
    name: 'durable',
    text: "select pg_logical_emit_message(true, 'rounds', '')",
    values: [],
  }),
  answersFrom: (rows) => rows,
}

/** The rows that came back, and how many rows were read or written. */
export type Outcome<Row> = { rows: Row[]; rowCount: number }
