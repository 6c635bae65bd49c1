// The ambulatory glucose profile (AGP): how sensor glucose ran through the days, on one page.
import { useApp } from '../../app.ts'
import { rangesOf } from '../../care/in-target.ts'
import { unitSign } from '../../format/units.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useNow } from '../../hooks/use-now.ts'
import { Choice } from '../../ui/fields.tsx'
import { Link } from '../../ui/link.tsx'
import { Empty } from '../../ui/notice.tsx'
import { words } from '../../words/words.ts'
import { DailyCurves } from './daily-curves.tsx'
import { GlucoseFacts } from './glucose-facts.tsx'
import { loadDayCurves } from './load-day-curves.ts'
import type { NewestByType, ReportProps } from './newest-by-type.ts'
import { ProfileChart } from './profile-chart.tsx'
import { ProfileTable } from './profile-table.tsx'
import { asQuery, daysIn, lastDays } from './report-range.ts'
import { daysChoices, ReportSheet, ReportState } from './report-sheet.tsx'
import { NoTarget, TargetLine } from './target-line.tsx'
import { TimeInBands } from './time-in-bands.tsx'

const DAYS = [7, 14, 30, 90]
const USUAL_DAYS = 14
const UNITS = ['mg/dL', 'mmol/L'] as const
const TYPE = 'interstitialGlucose'

export function Glucose({ rounds, patientUid, zone, address, newest }: ReportProps) {
  const now = useNow()
  const days = daysIn(address.query, DAYS, USUAL_DAYS)
  const { unit, chooseUnit } = useUnit(address, newest)
  const range = lastDays(days, now, zone)
  const loaded = useLoad(
    [patientUid],
    async (signal) => {
      const [{ data: figures }, curves] = await Promise.all([
        rounds.reports.glucose({ patientUid, ...asQuery(range), timeZone: zone, unit }, { signal }),
        loadDayCurves(rounds, { patientUid, range, unit, zone }, signal),
      ])
      return { figures, curves, range, zone, madeMs: Date.now() }
    },
    [range.fromMs, range.toMs, unit, zone],
  )
  return (
    <>
      <div class="row report-bar">
        <Choice
          aria-label={words.reports.days}
          value={days}
          set={(one) => address.go({ query: { days: String(one) } }, { replace: true })}
          options={daysChoices(DAYS)}
        />
        <Choice
          aria-label={words.reports.unit}
          value={unit}
          set={chooseUnit}
          options={UNITS.map((one) => [one, unitSign(one)] as const)}
        />
      </div>
      <ReportState loaded={loaded}>
        {(made) => {
          const { figures, curves } = made
          if (figures.readings === 0)
            return <NoProfile newest={newest} days={made.range.days} address={address} />
          const { target, source } = figures
          const shown = { figures, zone: made.zone, address }
          return (
            <ReportSheet
              title={words.reports.profile}
              made={made}
              patientUid={patientUid}
              source={<>{words.reports.definitions(<a href={source.url}>{source.title}</a>, source.year)}</>}
            >
              <div class="report-summary">
                <GlucoseFacts {...shown} days={made.range.days} />
                {target === null ? (
                  <NoTarget patientUid={patientUid} readingType={TYPE} address={address} />
                ) : (
                  <TimeInBands figures={figures}>
                    <TargetLine
                      target={target}
                      ranges={rangesOf(target, undefined)}
                      unit={figures.unit}
                      zone={made.zone}
                    />
                  </TimeInBands>
                )}
              </div>
              <ProfileChart figures={figures} />
              <ProfileTable figures={figures} />
              <DailyCurves curves={curves} days={made.range.days} {...shown} />
            </ReportSheet>
          )
        }}
      </ReportState>
    </>
  )
}

function useUnit(address: ReportProps['address'], newest: NewestByType) {
  const { choices } = useApp()
  const wanted: unknown[] = [
    ...address.query.getAll('unit'),
    ...choices.get().units,
    ...[TYPE, 'bloodGlucose'].map((type) => newest.get(type)?.['unit']),
  ]
  const isUnit = (one: unknown) => UNITS.some((unit) => unit === one)
  const first = wanted.find(isUnit)
  const unit = UNITS.find((one) => one === first) ?? UNITS[0]
  const chooseUnit = (next: string) => {
    choices.set({ units: [...choices.get().units.filter((one) => !isUnit(one)), next] })
    address.go({ query: { unit: next } }, { replace: true })
  }
  return { unit, chooseUnit }
}

type NoProfileProps = { newest: NewestByType; days: number; address: ReportProps['address'] }

/** Says why: a profile takes a sensor, and fingersticks are not one. */
function NoProfile({ newest, days, address }: NoProfileProps) {
  const hasFingersticks = newest.has('bloodGlucose')
  const type = newest.has(TYPE) ? TYPE : hasFingersticks ? 'bloodGlucose' : undefined
  return (
    <Empty title={words.reports.noGlucose(days)}>
      {hasFingersticks && <span>{words.reports.fingersticks}</span>}
      {type !== undefined && (
        <Link class="button" address={address} to={{ path: 'charts', query: { type } }}>
          {type === TYPE ? words.reports.earlier : words.reports.fingersticksInCharts}
        </Link>
      )}
    </Empty>
  )
}
