// Asks a carer once below which value a child shall stand first, where neither a doctor nor the carer has said so. It becomes the
// carer's own target: a doctor's, once there is one, goes before it.
import { useState } from 'preact/hooks'
import type { StoredReading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { unitSign } from '../../format/units.ts'
import { TextField } from '../../ui/fields.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { words } from '../../words/words.ts'
import { numberFrom } from '../add/read-form.ts'
import { SENSOR } from './sensor-state.ts'

type Props = { patientUid: string; name: string; reading: StoredReading; onSet: () => void }

export function AskLimit({ patientUid, name, reading, onSet }: Props) {
  const { rounds, choices } = useApp()
  const [text, setText] = useState('')
  const [error, setError] = useState<unknown>()
  const [mistake, setMistake] = useState<string>()
  const [isOver, setOver] = useState(choices.get().asksForLimit === false)
  const unit = typeof reading['unit'] === 'string' ? reading['unit'] : undefined
  if (isOver || unit === undefined) return null
  const save = async (event: Event) => {
    event.preventDefault()
    const low = numberFrom(text)
    if (low === undefined) return setMistake(words.parent.noNumber)
    try {
      await rounds.targets.set({ patientUid, readingType: SENSOR, unit, fields: { value: { low } } })
      onSet()
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <form class="notice" onSubmit={(event) => void save(event)}>
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
