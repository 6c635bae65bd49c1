// The bounds around the target by which a status is decided where the target is the published one of sensor glucose.
import type { ListedType } from './listed-patient.ts'

/** International consensus on time in range, 2019. */
const OUTER: Readonly<Record<string, readonly [low: number, high: number]>> = {
  'mg/dL': [54, 250],
  'mmol/L': [3, 13.9],
}

export function outerBounds({ targets, unit }: Pick<ListedType, 'targets' | 'unit'>): readonly number[] {
  const isPublished = targets.some(({ preset }) => preset === 'sensor-glucose')
  return isPublished ? (OUTER[unit ?? ''] ?? []) : []
}
