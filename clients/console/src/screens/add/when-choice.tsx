// When it was measured: now, or a date and a time.

import { useId } from 'preact/hooks'
import { localInput } from '../../format/times.ts'
import { Field } from '../../ui/fields.tsx'

type Props = {
  /** As the wall clock shows it, or empty for now. */
  at: string
  zone: string
  mistake: string | undefined
  onChoose: (at: string) => void
}

export function WhenChoice({ at, zone, mistake, onChoose }: Props) {
  const id = useId()
  return (
    <>
      <div class="field">
        <span class="label" id={id}>
          When
        </span>
        <div class="seg" role="group" aria-labelledby={id}>
          <button type="button" aria-pressed={at === ''} onClick={() => onChoose('')}>
            Now
          </button>
          <button
            type="button"
            aria-pressed={at !== ''}
            onClick={() => at === '' && onChoose(localInput(Date.now(), zone))}
          >
            Another time
          </button>
        </div>
      </div>
      {at !== '' && (
        <Field label="Date and time" mistake={mistake}>
          {(attributes) => (
            <input
              {...attributes}
              class="input when"
              type="datetime-local"
              value={at}
              onInput={({ currentTarget }) => onChoose(currentTarget.value || localInput(Date.now(), zone))}
            />
          )}
        </Field>
      )}
    </>
  )
}
