// All patients of a carer's token on one screen, a tile each. Who is low stands first.
import { useId, useState } from 'preact/hooks'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { useTargetsOfPatients } from '../../care/targets.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useNow } from '../../hooks/use-now.ts'
import { usePatientNames } from '../../patients/sharing-patients.ts'
import { useNewestOfPatients } from '../../patients/use-newest-of-patients.ts'
import type { ScreenProps } from '../../screen.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { words } from '../../words/words.ts'
import '../add/add.css'
import { ChildTile } from './child-tile.tsx'
import './everyone.css'
import { SENSOR, sensorState, urgencyOf } from './sensor-state.ts'

export function Everyone({ zone, address }: ScreenProps) {
  const { catalogue, newestOfPatients, session } = useApp()
  const { data: types, error, reload } = useLoad('catalogue', () => catalogue())
  const patients = useNewestOfPatients()
  const shown = patients.map(({ patientUid }) => patientUid)
  const [limitsSet, setLimitsSet] = useState(0)
  const targets = useTargetsOfPatients(shown, limitsSet)
  const nameOfPatient = usePatientNames(shown)
  const now = useNow()
  const { patientUids } = session.person
  const { notListed } = newestOfPatients
  if (!types && error !== undefined) return <ErrorNotice error={error} onRetry={reload} />
  const tiles = patients.map((patient) => {
    const { patientUid, last } = patient
    const targetOf = (readingType: string) => targets.of(patientUid, readingType)
    const reading = last?.readings.find(({ readingType }) => readingType === SENSOR)
    const entry = types?.get(SENSOR)
    const sensor = reading && entry && sensorState(reading, { entry, target: targetOf(SENSOR), now })
    return { patient, targetOf, sensor }
  })
  const hasSensor = tiles.some(({ sensor }) => sensor !== undefined)
  return (
    <>
      {hasSensor && (
        <p class="notice does-not-wake">
          {words.parent.doesNotWake((text) => (
            <strong>{text}</strong>
          ))}
        </p>
      )}
      <p class="muted small everyone-note">
        {words.parent.readAgain(zone)} {targets.error !== undefined && words.parent.noTargets}
      </p>
      <div class="everyone">
        {tiles
          .toSorted((one, other) => urgencyOf(one.sensor) - urgencyOf(other.sensor))
          .map(({ patient, targetOf, sensor }) => (
            <ChildTile
              key={patient.patientUid}
              {...{ patient, targetOf, sensor, types, now, zone, address }}
              name={nameOfPatient(patient.patientUid)}
              mayAsk={targets.areKnown(patient.patientUid)}
              onLimit={() => setLimitsSet((count) => count + 1)}
            />
          ))}
      </div>
      {notListed > 0 && (
        <NotListed patientUids={patientUids} count={notListed} shown={patients.length} address={address} />
      )}
    </>
  )
}

type NotListedProps = { patientUids: string[]; count: number; shown: number; address: Address }

function NotListed({ patientUids, count, shown, address }: NotListedProps) {
  const id = useId()
  return (
    <section class="panel stack not-listed">
      <p>{words.parent.notListed(shown, count)}</p>
      <div class="field">
        <label for={id}>{words.parent.openAnother}</label>
        <select
          id={id}
          class="input"
          value=""
          onChange={({ currentTarget }) =>
            address.go({ path: 'today', query: { patient: currentTarget.value } })
          }
        >
          <option value="" disabled>
            {words.parent.choose}
          </option>
          {patientUids.slice(shown).map((uid) => (
            <option key={uid} value={uid}>
              {uid}
            </option>
          ))}
        </select>
      </div>
    </section>
  )
}
