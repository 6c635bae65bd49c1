// Where a reading lies against its target, in words beside the colour.
import type { JudgedField } from './in-target.ts'
import { placeText } from './target-text.ts'

export function PlaceMark({ judged }: { judged: readonly JudgedField[] }) {
  const outside = judged.find(({ place }) => place !== 'in')
  return <strong class={`place ${outside?.place ?? 'in'}`}>{placeText(judged)}</strong>
}
