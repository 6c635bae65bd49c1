// Add: choose what was measured, type it in, and see it wait until the service has stored it.
import { useId } from 'preact/hooks'
import { useApp } from '../../app.ts'
import { Empty, ErrorNotice, Loading } from '../../design/notice.tsx'
import { useLoad } from '../../design/use-load.ts'
import type { ScreenProps } from '../../screen.ts'
import { nameOf } from '../../words/type-names.ts'
import './add.css'
import { AddForm } from './add-form.tsx'
import { formOf } from './form-of.ts'
import { Sent } from './sent.tsx'
import { useSent } from './use-sent.ts'

const FIRST = 'bloodPressure'

export function Add({ patientUid, zone, address }: ScreenProps) {
  const { catalogue, session, outbox } = useApp()
  const id = useId()
  const { data, error, reload } = useLoad(() => catalogue(), [])
  const sent = useSent(outbox, patientUid)
  if (!session.person.patientUids.includes(patientUid)) {
    return (
      <Empty title="You cannot add readings for this patient.">
        <span>Only the patient, and those who care for them, can.</span>
      </Empty>
    )
  }
  if (!data)
    return error === undefined ? (
      <Loading lines={4} height={64} />
    ) : (
      <ErrorNotice error={error} onRetry={reload} />
    )
  const asked = address.query.get('type')
  const entry = data.get(asked ?? FIRST) ?? data.get(FIRST)
  if (!entry) return <Empty title="This service knows no types of readings." />
  return (
    <div class="add">
      <section class="panel stack">
        <div class="field">
          <label for={id}>What was measured?</label>
          <select
            id={id}
            class="input"
            value={entry.readingType}
            onChange={({ currentTarget }) =>
              address.go({ query: { type: currentTarget.value } }, { replace: true })
            }
          >
            {[...data.keys()].map((type) => (
              <option key={type} value={type}>
                {nameOf(type)}
              </option>
            ))}
          </select>
        </div>
        <AddForm
          key={entry.readingType}
          form={formOf(entry)}
          patientUid={patientUid}
          zone={zone}
          onSend={sent.send}
        />
      </section>
      <Sent sent={sent} catalogue={data} zone={zone} />
    </div>
  )
}
