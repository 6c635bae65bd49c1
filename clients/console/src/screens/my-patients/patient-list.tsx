// My patients, for a doctor: who needs attention, why, and how the last two weeks were. Values change in their place; rows do not
// move under a hand. What is shown is in the address.
import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '../../app.ts'
import { Empty, ErrorNotice } from '../../design/notice.tsx'
import { useLoad } from '../../hooks/use-load.ts'
import { useNarrow } from '../../hooks/use-narrow.ts'
import { useNow } from '../../hooks/use-now.ts'
import { ZoneSwitch } from '../../layout/zone.tsx'
import { queueWord } from '../../patients/queue-names.ts'
import { Queues, useQueuesInBar } from '../../patients/queues.tsx'
import type { ScreenProps } from '../../screen.ts'
import { ListBar } from './list-bar.tsx'
import { useListKeys } from './list-keys.ts'
import { ChooseRules, chosenIn, RulesInWords } from './list-rules.tsx'
import { PatientCards, PatientTable } from './patient-table.tsx'
import './patient-list.css'
import { ChosenPatient } from './chosen-patient.tsx'
import { useChosen } from './use-chosen.ts'
import { usePatientList } from './use-patient-list.ts'
import { useRows } from './use-rows.ts'

/** From here on the panel has a column of its own. */
const PANEL_FROM = 1_180

export function PatientList({ rounds, zone, address }: ScreenProps) {
  const { choices, queues, access, session, catalogue } = useApp()
  const [rules, setRules] = useState(() => chosenIn(choices))
  const { listed, error, refresh } = usePatientList({ rounds, zone, rules })
  const { data: types } = useLoad('catalogue', () => catalogue())
  const now = useNow()
  const [isPhone, isPanelAbove, hasQueueBar] = [useNarrow(), useNarrow(PANEL_FROM - 1), useQueuesInBar()]
  const screen = useRef<HTMLDivElement>(null)
  const rows = useRows({ listed, address, screen })
  const chosen = useChosen({ rows, address, isPanelAbove })
  useListKeys(rows.list, chosen.commands)
  // A patient who did not share may share again.
  useEffect(() => access.startAnew(), [])
  const { silentAfter, worseBy } = rules
  useEffect(() => {
    queues.set({ counts: listed?.counts, silentAfter, worseBy })
  }, [listed?.counts, silentAfter, worseBy])
  const notes = (
    <div class="list-notes small muted">
      <RulesInWords chosen={rules} />
      <div class="row">
        <ChooseRules
          chosen={rules}
          onChoose={(part) => {
            choices.set(part)
            setRules({ ...rules, ...part })
          }}
        />
        <ZoneSwitch zone={zone} patientZone={session.person.zone} address={address} />
      </div>
    </div>
  )
  const parts = { rows, chosen, listed, types, zone, now, address }
  return (
    <div class="patient-list" ref={screen}>
      {hasQueueBar && (
        <nav class="queue-bar" aria-label="Queues of patients">
          <Queues address={address} path={address.path} />
        </nav>
      )}
      <ListBar rows={rows} listed={listed} error={error} zone={zone} now={now} address={address} />
      {listed === undefined && error !== undefined && <ErrorNotice error={error} onRetry={refresh} />}
      {isPhone && notes}
      {listed?.counts.all === 0 ? (
        <Empty title="No patient shares readings with you yet.">
          <span>Patients choose you in the directory, under “Shared with”.</span>
        </Empty>
      ) : listed && rows.order.length === 0 ? (
        <Empty title={rows.view.find === '' ? 'Nobody is in this queue.' : 'No patient matches.'}>
          <span>{`Queue: ${queueWord(rows.view.queue, silentAfter)}.`}</span>
        </Empty>
      ) : listed === undefined && error !== undefined ? null : isPhone ? (
        <PatientCards {...parts} />
      ) : (
        <PatientTable {...parts} />
      )}
      {!isPhone && notes}
      <ChosenPatient
        chosen={chosen}
        patient={listed?.patients.get(chosen.uid ?? '')}
        {...{
          rounds,
          zone,
          address,
          isPanelAbove,
          isKnown: listed?.isComplete === true,
          onReviewed: refresh,
        }}
      />
    </div>
  )
}
