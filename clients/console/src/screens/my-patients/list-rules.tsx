// The rules of this list, in words, and the two that the doctor chooses. They are the doctor's own and change nothing for the patient.
import { useId } from 'preact/hooks'
import { countText } from '../../format/numbers.ts'
import type { Choices } from '../../storage/choices.ts'
import type { ListRules } from './use-patient-list.ts'

const SILENT = [1, 2, 3, 5, 7, 14, 30]
const WORSE = [5, 10, 15, 20, 30]

type Props = { chosen: ListRules; onChoose: (chosen: Partial<ListRules>) => void }

export function RulesInWords({ chosen: { silentAfter, worseBy } }: Pick<Props, 'chosen'>) {
  const points = worseBy !== null && countText(worseBy, 'point')
  const days = silentAfter !== null && countText(silentAfter, 'day')
  return (
    <p>
      {points && `Getting worse: ${points} less in target than in the 14 days before. `}
      {days && `No data: ${days} without a reading of what has a target. `}
      Each status names its rule; without a target there is none.{' '}
      <strong>Every patient in this list sees, once a day, that you looked.</strong>
    </p>
  )
}

export function ChooseRules({ chosen, onChoose }: Props) {
  const id = useId()
  const { silentAfter, worseBy } = chosen
  return (
    <details class="list-rules">
      <summary>Rules of this list</summary>
      <div class="list-rules-form">
        <Choice
          id={`${id}-silent`}
          label="Say “no data” after"
          values={SILENT}
          word={(days) => countText(days, 'day')}
          chosen={silentAfter}
          choose={(value) => onChoose({ silentAfter: value })}
        />
        <Choice
          id={`${id}-worse`}
          label="Say “getting worse” when the share in target fell by"
          values={WORSE}
          word={(points) => countText(points, 'point')}
          chosen={worseBy}
          choose={(value) => onChoose({ worseBy: value })}
        />
      </div>
    </details>
  )
}

type ChoiceProps = {
  id: string
  label: string
  values: readonly number[]
  word: (value: number) => string
  chosen: number | null
  choose: (value: number | null) => void
}

function Choice({ id, label, values, word, chosen, choose }: ChoiceProps) {
  const offered = chosen === null || values.includes(chosen) ? values : [...values, chosen]
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={chosen === null ? '' : String(chosen)}
        onChange={({ currentTarget: { value } }) => choose(value === '' ? null : Number(value))}
      >
        {offered.map((value) => (
          <option key={value} value={String(value)}>
            {word(value)}
          </option>
        ))}
        <option value="">never</option>
      </select>
    </div>
  )
}

/** As the person chose them in this browser. */
export function chosenIn(choices: Pick<Choices, 'get'>): ListRules {
  const { silentAfter, worseBy } = choices.get()
  return { silentAfter, worseBy }
}
