import { Labelled } from '../add/fields.tsx'
import { DURATION_UNITS, type DurationUnit, type TypedDuration } from './typed-duration.ts'

type Props = {
  label: string
  hint?: string
  duration: TypedDuration
  mistake: string | undefined
  onChange: (duration: TypedDuration) => void
}

export function DurationField({ label, hint, duration, mistake, onChange }: Props) {
  return (
    <Labelled label={label} mistake={mistake}>
      {(attributes) => (
        <>
          <span class="rule-duration">
            <input
              {...attributes}
              class="input"
              inputMode="numeric"
              autocomplete="off"
              size={4}
              value={duration.amount}
              onInput={({ currentTarget }) => onChange({ ...duration, amount: currentTarget.value })}
            />
            <select
              class="input"
              aria-label={`${label}: unit`}
              value={duration.unit}
              onChange={({ currentTarget }) =>
                onChange({ ...duration, unit: currentTarget.value as DurationUnit })
              }
            >
              {DURATION_UNITS.map((unit) => (
                <option key={unit} value={unit}>
                  {unit}
                </option>
              ))}
            </select>
          </span>
          {hint !== undefined && <span class="hint">{hint}</span>}
        </>
      )}
    </Labelled>
  )
}
