export type Changes = { added: number; changed: number; unchanged: number }

type Count = number | null | undefined

/** Of so many that are listed; a count that PostgreSQL does not give is none. */
export function changesOf(listed: Count, counts: { added: Count; changed: Count }): Changes {
  const added = counts.added ?? 0
  const changed = counts.changed ?? 0
  return { added, changed, unchanged: (listed ?? 0) - added - changed }
}
