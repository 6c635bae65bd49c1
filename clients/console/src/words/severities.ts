// Severities in words, and how they are ordered and coloured. Any other upper-case label may come; it has no colour.
const KNOWN = ['MILD', 'MODERATE', 'SEVERE']

export function severityWord(severity: string): string {
  return severity.toLowerCase().replaceAll('_', ' ')
}

/** 1 to 3, and 0 for a label that is not one of the usual. */
export function severityRank(severity: string): number {
  return KNOWN.indexOf(severity) + 1
}
