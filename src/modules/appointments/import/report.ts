// What an import changed, or would change.
import type { Emptied } from './emptied-fields.ts'

export type Changes = { added: number; changed: number; unchanged: number }

type Count = number | null | undefined

/** Of so many that are listed; a count that PostgreSQL does not give is none. */
export function changesOf(listed: Count, counts: { added: Count; changed: Count }): Changes {
  const added = counts.added ?? 0
  const changed = counts.changed ?? 0
  return { added, changed, unchanged: (listed ?? 0) - added - changed }
}

export type ImportReport = {
  specialities: Changes
  doctors: Changes
  /** What the file leaves out or empty and known doctors had: each field, and of how many doctors. */
  emptied: Emptied[]
  /** Titles that only doctors named, which became active specialities; they count as added. */
  namedByDoctors: string[]
  /** The ids of listed doctors who are not active once it is imported. */
  inactive: string[]
}

const MAX_TITLES = 10

/** What an import did, or would do, for people. */
export function describeReport(
  { specialities, doctors, emptied, namedByDoctors }: ImportReport,
  isDryRun: boolean,
): string {
  const lines = [
    isDryRun ? 'Nothing was changed. An import of this file would change:' : 'The file was imported:',
    `  specialities  ${describe(specialities)}`,
    `  doctors       ${describe(doctors)}`,
  ]
  for (const { field, doctors: count } of emptied) {
    const whose = count === 1 ? '1 doctor' : `${count} doctors`
    lines.push(field === 'isActive' ? `  made active   ${whose}` : `  emptied       ${field} of ${whose}`)
  }
  if (namedByDoctors.length > 0) {
    const titles = namedByDoctors.slice(0, MAX_TITLES).map((title) => JSON.stringify(title))
    const more = namedByDoctors.length - titles.length
    lines.push(
      `Specialities added because doctors name them: ${titles.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    )
  }
  return lines.join('\n')
}

function describe({ added, changed, unchanged }: Changes): string {
  return `${added} added, ${changed} changed, ${unchanged} unchanged`
}
