// Symptoms as a strip: a row for each symptom, a mark for each time it was noted, by severity.
import { severityWord, symptomsOf } from '../../format/reading-text.ts'
import type { Series } from './series.ts'
import type { TimeRange } from './time-range.ts'

/** `other` is any label that is not one of the usual three; it is shown by its own word. */
export type Severity = 'mild' | 'moderate' | 'severe' | 'other'

type SymptomMark = { atMs: number; severity: Severity; label: string }
export type SymptomRow = { name: string; marks: SymptomMark[] }

const KNOWN: Readonly<Record<string, Severity>> = { MILD: 'mild', MODERATE: 'moderate', SEVERE: 'severe' }

/** Those noted most often first. Names that differ only in case or in blanks around them are one symptom. */
export function symptomRows(series: Series | undefined, view: TimeRange): SymptomRow[] {
  if (series?.kind !== 'readings') return []
  const rows = new Map<string, SymptomRow>()
  for (const { atMs, reading } of series.readings) {
    if (atMs < view.fromMs || atMs >= view.toMs) continue
    for (const { symptom, severity } of symptomsOf(reading)) {
      const key = symptom.trim().toLowerCase()
      const row = rows.get(key) ?? { name: symptom.trim(), marks: [] }
      rows.set(key, row)
      row.marks.push({ atMs, severity: KNOWN[severity] ?? 'other', label: severityWord(severity) })
    }
  }
  return [...rows.values()].toSorted((a, b) => b.marks.length - a.marks.length || (a.name < b.name ? -1 : 1))
}
