import type { Changes } from './changes.ts'
import type { ImportReport } from './import-directory.ts'

const MOST_TITLES = 10

/** What an import did, or would do, for people. */
export function describeReport(
  { specialities, doctors, emptied, namedByDoctors }: ImportReport,
  isDryRun: boolean,
): string {
  const lines = [
    isDryRun ? 'Nothing was changed; an import of this file would do this:' : 'The file was imported:',
    `  specialities  ${describe(specialities)}`,
    `  doctors       ${describe(doctors)}`,
  ]
  for (const { field, doctors: count } of emptied) {
    const whose = count === 1 ? '1 doctor' : `${count} doctors`
    lines.push(field === 'isActive' ? `  made active   ${whose}` : `  emptied       ${field} of ${whose}`)
  }
  if (namedByDoctors.length > 0) {
    const titles = namedByDoctors.slice(0, MOST_TITLES).map((title) => JSON.stringify(title))
    const more = namedByDoctors.length - titles.length
    lines.push(`Named by doctors only, and added: ${titles.join(', ')}${more > 0 ? ` and ${more} more` : ''}`)
  }
  return lines.join('\n')
}

function describe({ added, changed, unchanged }: Changes): string {
  return `${added} added, ${changed} changed, ${unchanged} unchanged`
}
