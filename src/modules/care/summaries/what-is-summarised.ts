// Of which types of readings something is made, and for how long it is kept.
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'

/** Types that are made by themselves. */
export const OWN_TYPES: readonly string[] = ['symptom', ...Object.keys(CATALOGUE)]
/** All others are made together: that there are readings, and when. */
export const OTHER_TYPES = ''
/** Of a mark: each type that the patient has. No type is called so. */
export const ALL_TYPES = '*'

/** Today and 29 days before. */
export const KEPT_DAYS = 30
/** After its arrival: a little longer than anything is judged by it. */
export const KEPT_EVIDENCE_DAYS = 15
