// Which types are shown: those chosen as a row of names, and a list of all to choose from.
import { useState } from 'preact/hooks'
import { nameOf } from '../../format/type-names.ts'
import { words } from '../../words/words.ts'
import { Popup } from './popup.tsx'

export const MAX_TYPES = 6

type TypePickerProps = {
  chosen: readonly string[]
  /** Types of the patient's readings, the newest first. */
  own: readonly string[]
  catalogue: readonly string[]
  choose: (types: string[]) => void
}

export function TypePicker({ chosen, own, catalogue, choose }: TypePickerProps) {
  const [wanted, setWanted] = useState('')
  const matches = (type: string) => nameOf(type).toLowerCase().includes(wanted.trim().toLowerCase())
  const ownTypes = [...new Set([...own, ...chosen])]
  const others = catalogue.filter((type) => !ownTypes.includes(type))
  const isFull = chosen.length >= MAX_TYPES
  const toggle = (type: string) =>
    choose(chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type])
  const option = (type: string) => (
    <label key={type} class="chart-option">
      <input
        type="checkbox"
        checked={chosen.includes(type)}
        disabled={chosen.includes(type) ? chosen.length === 1 : isFull}
        onChange={() => toggle(type)}
      />
      <span>{nameOf(type)}</span>
    </label>
  )
  return (
    <Popup
      class="chart-picker"
      label={
        <span class="chart-chosen">
          {chosen.length === 0 ? words.charts.chooseTypes : chosen.map(nameOf).join(', ')}
        </span>
      }
    >
      {() => (
        <>
          <label class="chart-search">
            <span>{words.charts.findType}</span>
            <input
              type="search"
              value={wanted}
              onInput={({ currentTarget }) => setWanted(currentTarget.value)}
            />
          </label>
          {isFull && <p class="chart-note">{words.charts.atMost(MAX_TYPES)}</p>}
          <fieldset>
            <legend>{words.charts.withReadings}</legend>
            {ownTypes.filter(matches).map(option)}
          </fieldset>
          {others.some(matches) && (
            <fieldset>
              <legend>{words.charts.withoutReadings}</legend>
              {others.filter(matches).map(option)}
            </fieldset>
          )}
        </>
      )}
    </Popup>
  )
}
