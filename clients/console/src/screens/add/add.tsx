// Add: choose what was measured, type it in, and see it wait until the service has stored it.
import { useId, useState } from 'preact/hooks'
import type { Reading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { nameOf } from '../../format/type-names.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useOutbox } from '../../outbox/outbox.ts'
import type { ScreenProps } from '../../screen.ts'
import { namedFor } from '../../session/patient-for.ts'
import { Link } from '../../ui/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../ui/notice.tsx'
import './add.css'
import { AddForm } from './add-form.tsx'
import { Answer } from './answer.tsx'
import { formOf } from './form-of.ts'
import { typedFrom } from './read-form.ts'
import { Sent } from './sent.tsx'
import { useSent } from './use-sent.ts'

const FIRST = 'bloodPressure'

export function Add({ patientUid, zone, address }: ScreenProps) {
  const { catalogue, session, outbox } = useApp()
  const id = useId()
  const { data, error, reload } = useLoad('catalogue', () => catalogue())
  const sent = useSent(outbox, patientUid)
  const { refused } = useOutbox(outbox)
  const [answered, setAnswered] = useState<Reading>()
  const asked = address.query.get('correct')
  const taken = refused.find(({ key }) => String(key) === asked)
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
  const entry = data.get(address.query.get('type') ?? FIRST) ?? data.get(FIRST)
  if (!entry) return <Empty title="This service knows no types of readings." />
  const form = formOf(entry)
  const corrected = taken?.reading.readingType === entry.readingType ? taken : undefined
  return (
    <div class="add">
      <p class="add-file">
        Many at once?{' '}
        <Link address={address} to={{ path: 'bring-in' }}>
          Bring in a file
        </Link>
      </p>
      {answered && <Answer {...{ reading: answered, sent, catalogue: data, patientUid, zone, address }} />}
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
          key={`${entry.readingType} ${corrected?.key ?? ''}`}
          form={form}
          corrected={corrected && typedFrom(form, corrected.reading, zone)}
          patientUid={patientUid}
          zone={zone}
          draft={corrected ? String(corrected.key) : ''}
          onSend={async (reading) => {
            await outbox.add(reading)
            setAnswered(reading)
            if (!corrected) return
            // Not before the correction is on the device: until then this is the only copy of what was measured.
            await outbox.remove(corrected)
            address.go({ query: { correct: undefined } }, { replace: true })
          }}
        />
      </section>
      <Sent
        sent={sent}
        named={namedFor(session.person, patientUid)}
        catalogue={data}
        zone={zone}
        address={address}
      />
    </div>
  )
}
