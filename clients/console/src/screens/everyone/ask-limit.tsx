// Asks a carer once below which value a child shall stand first, where neither a doctor nor the carer has said so. It becomes the
// carer's own target: a doctor's, once there is one, goes before it.
import { useState } from 'preact/hooks'
import type { Reading, ReadingTypeEntry, StoredReading, Target } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { boundsIn } from '../../care/in-target.ts'
import { unitSign } from '../../format/units.ts'
import { TextField } from '../../ui/fields.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { words } from '../../words/words.ts'
import { Ask } from '../add/ask.tsx'
import { formOf } from '../add/form-of.ts'
import { type Question, questionAbout } from '../add/question.ts'
import { numberFrom } from '../add/read-form.ts'
import { SENSOR } from './sensor-state.ts'

type Props = {
  patientUid: string
  name: string
  entry: ReadingTypeEntry
  reading: StoredReading
  /** What the carer has set already, without a limit below: the rest of it stays. */
  own: Target | undefined
  onSet: () => void
}

export function AskLimit({ patientUid, name, entry, reading, own, onSet }: Props) {
  const { rounds, choices } = useApp()
  const [text, setText] = useState('')
  const [error, setError] = useState<unknown>()
  const [mistake, setMistake] = useState<string>()
  const [question, setQuestion] = useState<Question>()
  const [isOver, setOver] = useState(choices.get().asksForLimit === false)
  const unit = own?.unit ?? (typeof reading['unit'] === 'string' ? reading['unit'] : undefined)
  if (isOver || unit === undefined) return null
  const value = numberFrom(text)
  const submit = (event: Event) => {
    event.preventDefault()
    setMistake(value === undefined ? words.parent.noNumber : undefined)
    if (value === undefined) return
    // In the other unit it would never be crossed, or always.
    const doubtful = questionAbout(formOf(entry), { ...reading, value, unit } as Reading)
    if (doubtful) setQuestion(doubtful)
    else void save(value, unit)
  }
  const save = async (limit: number, typedIn: string) => {
    setQuestion(undefined)
    setError(undefined)
    const low = boundsIn({ low: limit, high: null, unit: typedIn }, unit).low ?? limit
    const fields = { ...own?.fields, value: { ...own?.fields['value'], low } }
    const label = own?.label ?? undefined
    try {
      await rounds.targets.set({ patientUid, readingType: SENSOR, unit, fields, ...(label && { label }) })
      onSet()
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <form class="notice" onSubmit={submit}>
      <TextField
        label={words.parent.askLimit(name)}
        hint={words.parent.askHint}
        mistake={mistake}
        value={text}
        set={setText}
        unit={unitSign(unit)}
        isNumber
      />
      {error !== undefined && <ErrorNotice error={error} />}
      {question && (
        <Ask
          question={question}
          onAdd={(other) => value !== undefined && void save(value, other ?? unit)}
          onChange={() => setQuestion(undefined)}
        />
      )}
      <span class="row">
        <button type="submit" class="button primary">
          {words.parent.save}
        </button>
        <button
          type="button"
          class="button"
          onClick={() => {
            choices.set({ asksForLimit: false })
            setOver(true)
          }}
        >
          {words.parent.notNow}
        </button>
      </span>
    </form>
  )
}
