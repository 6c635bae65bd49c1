// One of a few choices, in a row of buttons. None is chosen until a person presses one; where one is missing, a sentence asks for it.
import { useId } from 'preact/hooks'

type Props = {
  label: string
  choices: readonly (readonly [value: string, text: string])[]
  /** Empty until one is chosen. */
  chosen: string
  mistake: string | undefined
  choose: (value: string) => void
}

export function Segments({ label, choices, chosen, mistake, choose }: Props) {
  const id = useId()
  const wrong = chosen === '' ? mistake : undefined
  return (
    <div class={wrong === undefined ? 'field' : 'field choice-missing'}>
      <span class="label" id={`${id}-label`}>
        {label}
      </span>
      <div class="seg" role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-wrong`}>
        {choices.map(([value, text]) => (
          <button key={value} type="button" aria-pressed={chosen === value} onClick={() => choose(value)}>
            {text}
          </button>
        ))}
      </div>
      <span id={`${id}-wrong`} class="wrong" role="status">
        {wrong}
      </span>
    </div>
  )
}
