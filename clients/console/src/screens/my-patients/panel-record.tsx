// What the side panel shows of the record itself. Each load is a read of the record that the patient sees, so nothing is loaded before
// the choice has rested: somebody who goes through fifty patients with J and K opens none of their records. What is under way for a
// patient who was left is aborted.
import { useEffect, useState } from 'preact/hooks'
import { type RoundsClient, RoundsError } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { ErrorNotice } from '../../design/notice.tsx'
import { sinceText } from '../../format/times.ts'
import { nameOf, nameWithin } from '../../format/type-names.ts'
import { useAtMostEvery } from '../../hooks/use-at-most-every.ts'
import { useLasting } from '../../hooks/use-lasting.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useNow } from '../../hooks/use-now.ts'
import { ProfileChart } from '../reports/profile-chart.tsx'
import { DayChart } from './day-chart.tsx'
import { DaysChart } from './days-chart.tsx'
import type { ListedPatient, ListedType } from './listed-patient.ts'
import { type PanelRecord as Loaded, loadRecord, loadSinceReview } from './load-record.ts'
import { PanelFacts } from './panel-facts.tsx'
import { PanelPressures } from './panel-pressures.tsx'
import { SinceLastReview } from './since-review.tsx'

const RESTED_MS = 300
/** A sensor sends every few minutes, some devices every second. */
const AGAIN_EVERY_MS = 30_000

type Props = { patient: ListedPatient; rounds: RoundsClient; zone: string; onGone: () => void }

export function PanelRecord({ patient, rounds, zone, onGone }: Props) {
  const { catalogue } = useApp()
  const { patientUid, lastReview } = patient
  const types = shownTypes(patient)
  const [chosen, setChosen] = useState(types[0]?.readingType)
  const type = types.find(({ readingType }) => readingType === chosen) ?? types[0]
  const isRested = useLasting(true, RESTED_MS)
  const now = useNow()
  const newestAt = useAtMostEvery(type?.newest?.at, AGAIN_EVERY_MS)
  const asked = type && { patientUid, type, zone }
  const record = useLoad(
    [patientUid, type?.readingType, type?.unit, zone],
    async (signal) => {
      if (!isRested || !asked) return undefined
      const entry = (await catalogue()).get(asked.type.readingType)
      return { ...(await loadRecord(rounds, { ...asked, entry }, signal)), madeMs: Date.now() }
    },
    [isRested, newestAt],
  )
  const reviewedAt = lastReview?.at
  const since = useLoad(
    [patientUid, type?.readingType, reviewedAt, zone],
    async (signal) => {
      if (!isRested || !asked || reviewedAt === undefined) return undefined
      return loadSinceReview(rounds, { ...asked, reviewedAt }, signal)
    },
    [isRested, newestAt],
  )
  const error = record.error ?? since.error
  const isGone = error instanceof RoundsError && error.code === 'NotShared'
  useEffect(() => {
    if (isGone) onGone()
  }, [isGone])
  const retry = () => {
    record.reload()
    since.reload()
  }
  const loaded = record.data
  return (
    <>
      {types.length > 1 && <TypeSwitch types={types} chosen={type} choose={setChosen} />}
      {error !== undefined && !isGone && (
        <>
          <ErrorNotice error={error} onRetry={retry} />
          {loaded && (
            <p class="as-of">
              What follows is as of <strong>{sinceText(loaded.madeMs, now, zone)}</strong>.
            </p>
          )}
        </>
      )}
      {type ? (
        <>
          {loaded ? (
            <Charts record={loaded} type={type} zone={zone} now={now} />
          ) : (
            error === undefined && <ChartsLoading readingType={type.readingType} />
          )}
          <PanelFacts patient={patient} type={type} fortnight={loaded?.fortnight} zone={zone} now={now} />
        </>
      ) : (
        patient.status !== 'preparing' && (
          <p class="muted">No readings with numbers are shared with you, or none were added yet.</p>
        )
      )}
      <SinceLastReview patient={patient} type={type} found={since.data} zone={zone} now={now} />
    </>
  )
}

/** Those with numbers: that of the rule first, then those with targets. */
function shownTypes({ types, rule }: ListedPatient): ListedType[] {
  const rank = ({ readingType, targets }: ListedType) =>
    readingType === rule?.readingType ? 0 : targets.length > 0 ? 1 : 2
  return types
    .filter(({ readingType, newest, targets }) => {
      const hasNumbers = Object.keys(newest?.values ?? {}).length > 0 || targets.length > 0
      return readingType !== '' && readingType !== 'symptom' && hasNumbers
    })
    .toSorted((one, other) => rank(one) - rank(other))
}

type SwitchProps = {
  types: readonly ListedType[]
  chosen: ListedType | undefined
  choose: (readingType: string) => void
}

/** Of more, a list takes less room. */
const MAX_BUTTONS = 2

function TypeSwitch({ types, chosen, choose }: SwitchProps) {
  if (types.length > MAX_BUTTONS)
    return (
      <select
        class="input panel-type"
        aria-label="Type of reading"
        value={chosen?.readingType ?? ''}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {types.map(({ readingType }) => (
          <option key={readingType} value={readingType}>
            {nameOf(readingType)}
          </option>
        ))}
      </select>
    )
  return (
    <div class="seg" role="group" aria-label="Type of reading">
      {types.map((one) => (
        <button
          key={one.readingType}
          type="button"
          aria-pressed={one === chosen}
          onClick={() => choose(one.readingType)}
        >
          {nameOf(one.readingType)}
        </button>
      ))}
    </div>
  )
}

type ChartsProps = { record: Loaded; type: ListedType; zone: string; now: number }

function Charts({ record, type, zone, now }: ChartsProps) {
  const { fortnight } = record
  return (
    <>
      <DayChart record={record} type={type} zone={zone} now={now} />
      {fortnight.kind === 'glucose' ? (
        fortnight.figures.readings === 0 ? (
          <p class="muted">No sensor glucose in 14 days, so there is no profile.</p>
        ) : (
          <ProfileChart figures={fortnight.figures} isSmall />
        )
      ) : (
        <DaysChart type={type} zone={zone} now={now} />
      )}
      {fortnight.kind === 'bloodPressure' && fortnight.figures.readings > 0 && (
        <PanelPressures figures={fortnight.figures} zone={zone} now={now} />
      )}
    </>
  )
}

/** About as high as what comes. */
function ChartsLoading({ readingType }: { readingType: string }) {
  return (
    <div class="panel-loading" aria-busy="true">
      <span class="unseen" role="status">
        Loading {nameWithin(readingType)}
      </span>
      <div class="skeleton" />
      <div class="skeleton" />
    </div>
  )
}
