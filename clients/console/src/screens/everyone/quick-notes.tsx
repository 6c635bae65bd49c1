// What a carer did about a low value, noted by one tap for those who look too; and the number to call, where there is one.
import { useState } from 'preact/hooks'
import type { Reading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { useOutbox } from '../../outbox/outbox.ts'
import { keyOf } from '../../outbox/verdicts.ts'
import { words } from '../../words/words.ts'
import { Chips } from '../add/chips.tsx'
import { TYPED } from '../add/read-form.ts'

export function QuickNotes({ patientUid, name }: { patientUid: string; name: string }) {
  const { outbox, emergencyNumber } = useApp()
  const { waiting } = useOutbox(outbox)
  const [noted, setNoted] = useState<Reading>()
  const note = async (text: string) => {
    const reading = { patientUid, readingType: 'note', text, timestamp: Date.now(), source: TYPED } as Reading
    await outbox.add(reading)
    setNoted(reading)
  }
  const isWaiting = noted && waiting.some(({ reading }) => keyOf(reading) === keyOf(noted))
  return (
    <div class="stack">
      <Chips
        legend={words.parent.noteFor(name)}
        texts={[words.parent.gaveJuice, words.parent.amWith(name)]}
        choose={(text) => void note(text)}
      />
      <p class="small" role="status" dir="auto">
        {noted && words.parent.noted(String(noted['text']), isWaiting === true)}
      </p>
      <p class="small">
        {emergencyNumber === undefined ? (
          words.add.emergency(undefined)
        ) : (
          <a class="link" href={`tel:${emergencyNumber.replaceAll(' ', '')}`}>
            {words.add.emergency(emergencyNumber)}
          </a>
        )}
      </p>
    </div>
  )
}
