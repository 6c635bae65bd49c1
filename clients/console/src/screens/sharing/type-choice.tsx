// All types of readings, or some of them.
import { nameOf } from '../../format/type-names.ts'
import './sharing.css'

const MAX_TYPES = 50

export const byName = (one: string, other: string) => nameOf(one).localeCompare(nameOf(other))

type TypeProps = {
  types: string[]
  /** Nothing for all. */
  chosen: readonly string[] | null
  choose: (types: readonly string[] | null) => void
  /** Of the list of types, for screen readers. */
  legend: string
}

export function TypeChoice({ types, chosen, choose, legend }: TypeProps) {
  const toggle = (type: string, list: readonly string[]) =>
    choose(list.includes(type) ? list.filter((one) => one !== type) : [...list, type])
  return (
    <div class="field">
      <span class="label">Which readings?</span>
      <div class="seg" role="group" aria-label="Which readings?">
        <button type="button" aria-pressed={chosen === null} onClick={() => choose(null)}>
          All
        </button>
        <button type="button" aria-pressed={chosen !== null} onClick={() => choose(chosen ?? [])}>
          Only some
        </button>
      </div>
      {chosen === null ? (
        <span class="hint">Also kinds of readings that come later.</span>
      ) : (
        <fieldset class="share-types">
          <legend class="unseen">{legend}</legend>
          {types.map((type) => (
            <label key={type} class="check">
              <input
                type="checkbox"
                checked={chosen.includes(type)}
                disabled={!chosen.includes(type) && chosen.length >= MAX_TYPES}
                onChange={() => toggle(type, chosen)}
              />
              <bdi>{nameOf(type)}</bdi>
            </label>
          ))}
        </fieldset>
      )}
    </div>
  )
}
