// Marks against the targets of their type: where each lies, in words and for the plot. Without a target nothing is judged.
import { asDisplayed, boundsIn, type Place, placeOf, type Range } from '../../care/in-target.ts'
import { placeText } from '../../care/target-text.ts'
import { words } from '../../words/words.ts'
import type { Mark } from './marks.ts'
import { drawnFields, type TypeShape } from './type-shape.ts'

/** What marks are compared with, whose target that is, and how they are shown. */
export type Against = {
  targets: readonly Range[]
  /** "the target of Dr Willow Sample", "your target". */
  whose: string
  shape: TypeShape
  unit: string | undefined
}

/** The bounds of a field in the unit shown; nothing on a side that is open. */
export type Band = { field: string; low: number | undefined; high: number | undefined }

/** A value that lies outside, of the mark with this index. */
export type Outside = { index: number; atMs: number; value: number; place: 'below' | 'above' }

const unitOfField = (field: string, { shape, unit }: Against) =>
  shape.quantities.find((quantity) => quantity.field === field)?.unit ?? unit

/** Those that are drawn. */
export function bandsOf(against: Against): Band[] {
  const drawn = drawnFields(against.shape)
  return against.targets.flatMap((target) => {
    const unit = unitOfField(target.field, against)
    if (unit === undefined || !drawn.includes(target.field)) return []
    const { low, high } = boundsIn(target, unit)
    return [{ field: target.field, low: low ?? undefined, high: high ?? undefined }]
  })
}

/** By the value as it was sent, where the mark has it. */
function placeIn({ values, stored }: Mark, target: Range, against: Against): Place | undefined {
  const summary = values[target.field]
  const unit = unitOfField(target.field, against)
  if (!summary || unit === undefined) return undefined
  const first = against.shape.quantities.find((quantity) => quantity.unit === undefined)
  if (stored && first?.field === target.field) return placeOf(stored.value, stored.unit, target)
  return placeOf(summary.mean, unit, target)
}

type PlacedField = { field: string; place: Place }

/** Of a reading: each field that has a target. Nothing where one of them has no number. */
function judgedFieldsOf(mark: Mark, against: Against): PlacedField[] | undefined {
  if (mark.bucket !== undefined || against.targets.length === 0) return undefined
  const judged = against.targets.flatMap((target) => {
    const place = placeIn(mark, target, against)
    return place === undefined ? [] : [{ field: target.field, place }]
  })
  return judged.length === against.targets.length ? judged : undefined
}

/** "▲ above the target of Dr Willow Sample"; of a bucket "▲ in part above" it. Nothing where it cannot be said. */
export function targetWord(mark: Mark, against: Against, whose = against.whose): string | undefined {
  const judged = judgedFieldsOf(mark, against)
  if (judged) return placeText(judged, whose)
  if (mark.bucket === undefined || against.targets.length === 0) return undefined
  // A number that has a target and was not measured cannot be called in target.
  if (!against.targets.every(({ field }) => mark.values[field])) return undefined
  const outside = against.targets.flatMap((target) => outsideIn(mark, target, against))
  const places = new Set(outside.map(({ place }) => place))
  const texts = [
    ...(places.has('above') ? [words.targetWords.partlyAbove(whose)] : []),
    ...(places.has('below') ? [words.targetWords.partlyBelow(whose)] : []),
  ]
  return texts.length === 0 ? words.targetWords.inside(whose) : texts.join(', ')
}

/** Readings with a number in every field that has a target, and how many of them are in all targets. */
export type InTarget = { judged: number; in: number }

/** Of statistics it is not known. */
export function countInTarget(marks: readonly Mark[], against: Against): InTarget | undefined {
  if (against.targets.length === 0 || marks.some(({ bucket }) => bucket)) return undefined
  const judged = marks.flatMap((mark) => {
    const fields = judgedFieldsOf(mark, against)
    return fields ? [fields.every(({ place }) => place === 'in')] : []
  })
  return judged.length === 0 ? undefined : { judged: judged.length, in: judged.filter(Boolean).length }
}

/** Every drawn value outside; of a bucket, its minimum and its maximum. */
export function outsideOf(marks: readonly Mark[], against: Against): Outside[] {
  const drawn = drawnFields(against.shape)
  const targets = against.targets.filter(({ field }) => drawn.includes(field))
  return marks.flatMap((mark, index) =>
    targets.flatMap((target) =>
      outsideIn(mark, target, against).map((one) => ({ index, atMs: mark.atMs, ...one })),
    ),
  )
}

function outsideIn(mark: Mark, target: Range, against: Against): Pick<Outside, 'value' | 'place'>[] {
  const summary = mark.values[target.field]
  const unit = unitOfField(target.field, against)
  if (!summary || unit === undefined) return []
  const found: Pick<Outside, 'value' | 'place'>[] = []
  if (mark.bucket === undefined) {
    const place = placeIn(mark, target, against)
    if (place === 'above' || place === 'below') found.push({ value: summary.mean, place })
    return found
  }
  const placeOfBucket = (value: number) => placeOf(asDisplayed(value, unit), unit, target)
  if (placeOfBucket(summary.max) === 'above') found.push({ value: summary.max, place: 'above' })
  if (placeOfBucket(summary.min) === 'below') found.push({ value: summary.min, place: 'below' })
  return found
}
