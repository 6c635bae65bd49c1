// A patient in the list of a doctor, as the service sums the readings up.
import type { Target } from '../../../../typescript/src/client.ts'

export type ListedStatus =
  | 'preparing'
  | 'attention'
  | 'review'
  | 'worse'
  | 'silent'
  | 'reviewed'
  | 'inTarget'
  | 'noData'
  | 'noTarget'

type Numbers = Readonly<Record<string, number>>

type ListedDay = {
  date: string
  readings: number
  judged: number
  inTarget: number
  lowest: Numbers
  highest: Numbers
}

/** All numbers are in `unit`. */
export type ListedType = {
  readingType: string
  unit: string | null
  newest: { at: string; values: Numbers; sides: Readonly<Record<string, 'below' | 'in' | 'above'>> } | null
  targets: Pick<
    Target,
    'field' | 'low' | 'high' | 'below' | 'unit' | 'label' | 'preset' | 'setBy' | 'setAt'
  >[]
  /** Of 14 local days, and of the 14 before. Null without a target. */
  share: { judged: number; inTarget: number; before: { judged: number; inTarget: number } } | null
  /** With the preset sensor-glucose. */
  bands: { veryLow: number; low: number; in: number; high: number; veryHigh: number } | null
  farthest: { at: string; values: Numbers; side: 'below' | 'above' } | null
  /** Those of the 14 days that have readings, in order. */
  days: ListedDay[]
}

export type ListedPatient = {
  patientUid: string
  sharedAs: string | null
  permission: 'view' | 'manage'
  readingTypes: string[] | null
  validUntil: string | null
  sharedSince: string
  status: ListedStatus
  reason: string
  rule: { kind: string; readingType: string; text: string } | null
  isNew: boolean
  lastReadingAt: string | null
  lastReview: { at: string; note: string | null } | null
  daysWithData: { days: number; withData: number; fromDevices: number }
  types: ListedType[]
}
