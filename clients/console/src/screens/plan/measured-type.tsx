// Of which type, those with readings of the patient first, and in which unit.
import { useId } from 'preact/hooks'
import type { ReadingTypeEntry } from '../../../../typescript/src/client.ts'
import { nameOf } from '../../format/type-names.ts'
import { words } from '../../words/words.ts'

type TypeProps = {
  label: string
  chosen: string
  own: readonly ReadingTypeEntry[]
  others: readonly ReadingTypeEntry[]
  choose: (readingType: string) => void
}

export function MeasuredType({ label, chosen, own, others, choose }: TypeProps) {
  const id = useId()
  const optionsOf = (entries: readonly ReadingTypeEntry[]) =>
    entries.map(({ readingType }) => (
      <option key={readingType} value={readingType}>
        {nameOf(readingType)}
      </option>
    ))
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={chosen}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {own.length === 0 ? (
          optionsOf(others)
        ) : (
          <>
            <optgroup label={words.plan.withReadings}>{optionsOf(own)}</optgroup>
            <optgroup label={words.plan.others}>{optionsOf(others)}</optgroup>
          </>
        )}
      </select>
    </div>
  )
}

/** The first of `wanted` that the type has: the unit of the target comes before that of the newest reading. */
export function unitFor({ units }: ReadingTypeEntry, wanted: readonly (string | undefined)[]): string {
  const [only = '', ...others] = units
  return others.length === 0 ? only : (wanted.find((unit) => units.some((known) => known === unit)) ?? '')
}
