import { listed } from '../language.ts'

/** Targets in words. */
export const targetWords = {
  atLeast: (amount: string) => `at least ${amount}`,
  atMost: (amount: string) => `at most ${amount}`,
  to: (low: string, high: string) => `${low} to ${high}`,
  field: (name: string, range: string) => `${name} ${range}`,
  /** Of whose target it is spoken. */
  aTarget: 'target',
  yourTarget: 'your target',
  targetOf: (author: string) => `the target of ${author}`,
  inside: (whose: string) => `in ${whose}`,
  /** `fields`: those outside; none where the whole reading is. */
  above: (fields: readonly string[], whose: string) =>
    `▲ ${fields.length === 0 ? '' : `${listed(fields)} `}above ${whose}`,
  below: (fields: readonly string[], whose: string) =>
    `▼ ${fields.length === 0 ? '' : `${listed(fields)} `}below ${whose}`,
  partlyAbove: (whose: string) => `▲ in part above ${whose}`,
  partlyBelow: (whose: string) => `▼ in part below ${whose}`,
  /** Over a column. */
  heading: (whose: string) => whose.charAt(0).toUpperCase() + whose.slice(1),
  patientOrCarer: 'the patient or a carer',
  setByYou: (when: string) => `set by you ${when}`,
  setBy: (author: string, when: string) => `set by ${author} ${when}`,
  onDate: (date: string) => `on ${date}`,
}
