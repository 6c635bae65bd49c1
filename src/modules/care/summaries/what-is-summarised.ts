// Of which types there are summaries, and what in them is compared with targets.
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import type { Unit } from '../../casesheet/catalogue/units.ts'

/** Types that have summaries of their own. */
export const OWN_TYPES: readonly string[] = ['symptom', ...Object.keys(CATALOGUE)]
/** All others have one together: that there are readings, and when. */
export const OTHER_TYPES = ''
/** Of a mark: each type that the patient has. No type is called so. */
export const ALL_TYPES = '*'

export const fieldsOf = (readingType: string) => Object.keys(CATALOGUE[readingType]?.quantities ?? {})

export const unitsOf = (readingType: string): readonly Unit[] => CATALOGUE[readingType]?.units ?? []

/**
 * Beside its range, the preset sensor-glucose has outer bounds, and a share of readings that should be in the range: international
 * consensus on time in range, 2019. A value a little outside the range is usual with a sensor; nobody needs to look for it alone.
 */
export const OUTER = {
  preset: 'sensor-glucose',
  bounds: { 'mg/dL': [54, 250], 'mmol/L': [3, 13.9] } satisfies Partial<Record<Unit, [number, number]>>,
  /** More than this share should be in the range; of fewer readings nothing is said. */
  goal: 0.7,
  leastJudged: 100,
  source: 'international consensus on time in range, 2019',
} as const

export function outerBoundsIn(unit: string): readonly [number, number] | undefined {
  const { bounds } = OUTER
  return unit === 'mg/dL' || unit === 'mmol/L' ? bounds[unit] : undefined
}
