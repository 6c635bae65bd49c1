// Severities in words. MILD, MODERATE and SEVERE are the usual ones; any other upper-case label may come.
export function severityWord(severity: string): string {
  return severity.toLowerCase().replaceAll('_', ' ')
}
