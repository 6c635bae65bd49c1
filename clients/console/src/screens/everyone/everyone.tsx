// All patients of a carer's token on one screen, a tile each. Who is low stands first, but no tile moves under a finger.
import { useId, useRef, useState } from 'preact/hooks'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { isOwnTarget } from '../../care/target-text.ts'
import { useTargetsOfPatients } from '../../care/targets.ts'
import { useAtWork, useHeldOrder } from '../../hooks/use-held-order.ts'
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
import { isLowNow, SENSOR, sensorState, urgencyOf } from './sensor-state.ts'

export function Everyone({ zone, address }: ScreenProps) {
  const { catalogue, newestOfPatients, session, hasCare } = useApp()
  const { data: types, error, reload } = useLoad('catalogue', () => catalogue())
  const patients = useNewestOfPatients()
  const shown = patients.map(({ patientUid }) => patientUid)
  const [limitsSet, setLimitsSet] = useState(0)
  const targets = useTargetsOfPatients(shown, limitsSet)
  const nameOfPatient = usePatientNames(shown)
  const now = useNow()
  const { patientUids } = session.person
  const { notListed } = newestOfPatients
  const tiles = patients.map((patient) => {
    const { patientUid, last } = patient
    const targetOf = (readingType: string) => targets.of(patientUid, readingType)
    const reading = last?.readings.find(({ readingType }) => readingType === SENSOR)
    const entry = types?.get(SENSOR)
    const ofAll = targets.all(patientUid)
    const sensor = reading && entry && sensorState(reading, { entry, targets: ofAll, now })
    const own = ofAll.find((target) => target.readingType === SENSOR && isOwnTarget(target, undefined))
    return { patientUid, patient, targetOf, sensor, own }
  })
  const isRead = patients.every(({ patientUid, last, error: unread }) =>
    last ? !hasCare || targets.areKnown(patientUid) || targets.error !== undefined : unread !== undefined,
  )
  const place = useRef<HTMLDivElement>(null)
  const held = useHeldOrder(
    tiles
      .toSorted((one, other) => urgencyOf(one.sensor) - urgencyOf(other.sensor))
      .map(({ patientUid }) => patientUid),
    {
      view: 'everyone',
      isComplete: types !== undefined && isRead,
      isAtWork: useAtWork(place, false),
      urgent: new Set(tiles.flatMap(({ patientUid, sensor }) => (isLowNow(sensor) ? [patientUid] : []))),
    },
  )
  if (!types && error !== undefined) return <ErrorNotice error={error} onRetry={reload} />
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
      <div class={held.urgent > 0 ? 'everyone-note is-low' : 'everyone-note'} role="status">
        {held.urgent > 0 ? (
          <button type="button" class="button severe" onClick={held.apply}>
            {words.parent.lowNow(held.urgent)}
          </button>
        ) : (
          <p class="muted small">
            {words.parent.readAgain(zone)} {targets.error !== undefined && words.parent.noTargets}
          </p>
        )}
      </div>
      <div class="everyone" ref={place}>
        {tiles
          .toSorted((one, other) => placeIn(held.order, one) - placeIn(held.order, other))
          .map(({ patientUid, patient, targetOf, sensor, own }) => (
            <ChildTile
              key={patientUid}
              {...{ patient, targetOf, sensor, own, types, now, zone, address }}
              name={nameOfPatient(patientUid)}
              mayAsk={targets.areKnown(patientUid)}
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

const placeIn = (order: readonly string[], { patientUid }: { patientUid: string }) =>
  order.indexOf(patientUid)

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
