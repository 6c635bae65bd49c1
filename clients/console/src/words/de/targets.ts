import type { targetWords as english } from '../en/targets.ts'
import { listed } from '../language.ts'

/** "über dem Zielbereich von Dr. Sample": `whose` is in the dative. */
export const targetWords: typeof english = {
  atLeast: (amount) => `mindestens ${amount}`,
  atMost: (amount) => `höchstens ${amount}`,
  to: (low, high) => `${low} bis ${high}`,
  field: (name, range) => `${name} ${range}`,
  aTarget: 'dem Zielbereich',
  yourTarget: 'Ihrem Zielbereich',
  targetOf: (author) => `dem Zielbereich von ${author}`,
  inside: (whose) => (whose === 'dem Zielbereich' ? 'im Zielbereich' : `in ${whose}`),
  above: (fields, whose) => `▲ ${fields.length === 0 ? '' : `${listed(fields)} `}über ${whose}`,
  below: (fields, whose) => `▼ ${fields.length === 0 ? '' : `${listed(fields)} `}unter ${whose}`,
  partlyAbove: (whose) => `▲ teils über ${whose}`,
  partlyBelow: (whose) => `▼ teils unter ${whose}`,
  heading: (whose) => whose.replace(/^dem /, '').replace(/^Ihrem/, 'Ihr'),
  patientOrCarer: 'Patient oder Betreuungsperson',
  setByYou: (when) => `${when} von Ihnen festgelegt`,
  setBy: (author, when) => `${when} festgelegt von ${author}`,
  onDate: (date) => `am ${date}`,
}
