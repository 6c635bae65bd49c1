// One of a few choices, each with what it means where that needs a sentence.
import { useId } from 'preact/hooks'

type Choice<Value> = [value: Value, text: string, hint?: string]

type Props<Value> = {
  legend: string
  choices: readonly Choice<Value>[]
  /** Nothing until one is chosen. */
  chosen: Value | undefined
  mistake?: string | undefined
  choose: (value: Value) => void
}

export function Radios<Value>({ legend, choices, chosen, mistake, choose }: Props<Value>) {
  const id = useId()
  return (
    <fieldset class="field" aria-describedby={`${id}-wrong`}>
      <legend class="label">{legend}</legend>
      {choices.map(([value, text, hint]) => (
        <div key={String(value)}>
          <label class="check">
            <input
              type="radio"
              name={id}
              checked={chosen === value}
              aria-invalid={mistake !== undefined}
              {...(hint !== undefined && { 'aria-describedby': `${id}-${String(value)}` })}
              onChange={() => choose(value)}
            />
            {text}
          </label>
          {hint !== undefined && (
            <span class="hint radio-hint" id={`${id}-${String(value)}`}>
              {hint}
            </span>
          )}
        </div>
      ))}
      <span class="wrong" id={`${id}-wrong`}>
        {mistake}
      </span>
    </fieldset>
  )
}
