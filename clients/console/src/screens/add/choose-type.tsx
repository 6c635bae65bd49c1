// What to add: what this person has typed in most lately, each with its last value, and a list of everything else.
import type { StoredReading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { type Catalogue, readingText } from '../../format/reading-text.ts'
import { momentText } from '../../format/times.ts'
import { nameOf } from '../../format/type-names.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useNow } from '../../hooks/use-now.ts'
import type { ScreenProps } from '../../screen.ts'
import { Link } from '../../ui/link.tsx'
import { words } from '../../words/words.ts'

const SHOWN = 4
const USUAL = ['bloodPressure', 'bloodGlucose', 'bodyWeight']
/** Who wears a sensor notes what was done about a value. */
const WITH_SENSOR = ['bloodGlucose', 'note', 'bodyWeight']

export function ChooseType({ rounds, patientUid, zone, address, catalogue }: Props) {
  const { kept } = useApp()
  const now = useNow()
  const { data, isLoading } = useLoad([patientUid], (signal) =>
    rounds.latestReadings({ patientUid }, { signal }),
  )
  const newest = data?.data ?? kept.latest(patientUid)?.newest
  const types = typesOf(newest ?? [], catalogue)
  const others = [...catalogue.keys()].filter((type) => !types.includes(type))
  return (
    <section class="stack">
      <div class="type-tiles" aria-busy={newest === undefined && isLoading}>
        {types.map((type) => {
          const last = newest?.find(({ readingType }) => readingType === type)
          return (
            <Link key={type} class="type-tile" address={address} to={{ query: { type } }}>
              <strong>{nameOf(type)}</strong>
              <span class="small muted clamp" dir="auto">
                {last &&
                  words.add.last(lastText(last, catalogue, zone), momentText(last.measuredAt, now, zone))}
              </span>
            </Link>
          )
        })}
      </div>
      <p class="row">
        {!types.includes('note') && catalogue.has('note') && (
          <Link class="button" address={address} to={{ query: { type: 'note' } }}>
            {words.add.note}
          </Link>
        )}
        <select
          class="input other-type"
          aria-label={words.add.whatWasMeasured}
          value=""
          onChange={({ currentTarget }) => address.go({ query: { type: currentTarget.value } })}
        >
          <option value="">{words.add.others(others.length)}</option>
          {others.map((type) => (
            <option key={type} value={type}>
              {nameOf(type)}
            </option>
          ))}
        </select>
        <Link class="link" address={address} to={{ path: 'bring-in' }}>
          {words.add.importFile}
        </Link>
      </p>
    </section>
  )
}

type Props = ScreenProps & { catalogue: Catalogue }

function lastText(reading: StoredReading, catalogue: Catalogue, zone: string): string {
  const { value, unit } = readingText(reading, catalogue.get(reading.readingType), zone)
  return `${value} ${unit}`.trim()
}

/** Three that were typed in last, filled up with usual ones, and symptoms. */
function typesOf(newest: readonly StoredReading[], catalogue: Catalogue): string[] {
  const typed = newest
    .filter(({ readingType, source }) => Object(source).kind === 'manual' && catalogue.has(readingType))
    .toSorted((one, other) => Date.parse(other.measuredAt) - Date.parse(one.measuredAt))
    .map(({ readingType }) => readingType)
  const hasSensor = newest.some(({ readingType }) => readingType === 'interstitialGlucose')
  const offered = [...typed, ...(hasSensor ? WITH_SENSOR : USUAL)].filter((type) => type !== 'symptom')
  const known = [...new Set(offered)].filter((type) => catalogue.has(type))
  return [...known.slice(0, SHOWN - 1), ...(catalogue.has('symptom') ? ['symptom'] : [])]
}
