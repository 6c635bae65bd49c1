// A statement, and what comes of it.
export type Statement = { name: string; text: string; values: unknown[] }

/** The rows that came back, and how many rows were read or written. */
export type Outcome<Row> = { rows: Row[]; rowCount: number }
