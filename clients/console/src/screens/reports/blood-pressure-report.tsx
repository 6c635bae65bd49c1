// Blood pressure: means of mornings and evenings, how much is in target, each reading by its time of day, and a diary by day.
import type { BloodPressureReport } from '../../../../typescript/src/client.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useNow } from '../../hooks/use-now.ts'
import { Choice } from '../../ui/fields.tsx'
import { Empty } from '../../ui/notice.tsx'
import { words } from '../../words/words.ts'
import { hourText } from './clock-text.ts'
import { MeansTable } from './means-table.tsx'
import type { ReportProps } from './newest-by-type.ts'
import { PressureDiary } from './pressure-diary.tsx'
import { PressureScatter } from './pressure-scatter.tsx'
import { loadPressures, targetRanges, UNIT } from './pressures.ts'
import { asQuery, daysIn, lastDays } from './report-range.ts'
import { daysChoices, ReportSheet, ReportState, ValueInChart } from './report-sheet.tsx'
import { NoTarget, TargetLine } from './target-line.tsx'

const DAYS = [30, 90]
const USUAL_DAYS = 30
const TYPE = 'bloodPressure'

export function BloodPressure({ rounds, patientUid, zone, address }: ReportProps) {
  const now = useNow()
  const days = daysIn(address.query, DAYS, USUAL_DAYS)
  const range = lastDays(days, now, zone)
  const loaded = useLoad(
    [patientUid],
    async (signal) => {
      const [{ data: figures }, pressures] = await Promise.all([
        rounds.reports.bloodPressure({ patientUid, ...asQuery(range), timeZone: zone }, { signal }),
        loadPressures(rounds, { patientUid, ...asQuery(range), zone }, signal),
      ])
      return { figures, ...pressures, range, zone, madeMs: Date.now() }
    },
    [range.fromMs, range.toMs, zone],
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
      </div>
      <ReportState loaded={loaded}>
        {(made) => {
          const { figures, pressures, isCut } = made
          if (figures.readings === 0) return <Empty title={words.reports.noPressure(made.range.days)} />
          const ranges = targetRanges(figures)
          return (
            <ReportSheet
              title={words.reports.bloodPressure}
              made={made}
              patientUid={patientUid}
              source={<Source figures={figures} />}
            >
              <div class="report-summary">
                <Extremes figures={figures} zone={made.zone} address={address} />
                {figures.target && ranges.length > 0 ? (
                  <TargetLine target={figures.target} ranges={ranges} unit={UNIT} zone={made.zone} />
                ) : (
                  <NoTarget patientUid={patientUid} readingType={TYPE} address={address} />
                )}
              </div>
              <MeansTable figures={figures} days={made.range.days} />
              <PressureScatter figures={figures} pressures={pressures} isCut={isCut} />
              <PressureDiary figures={figures} pressures={pressures} />
            </ReportSheet>
          )
        }}
      </ReportState>
    </>
  )
}

function Source({ figures: { morning, evening } }: { figures: BloodPressureReport }) {
  const text = (time: string) => hourText(Number(time.slice(0, 2)))
  return (
    <>
      {words.reports.morningIs(
        {
          morningFrom: text(morning.from),
          morningTo: text(morning.before),
          eveningFrom: text(evening.from),
          eveningTo: text(evening.before),
        },
        (name) => (
          <a href="https://doi.org/10.1097/HJH.0000000000003480">{name}</a>
        ),
      )}
    </>
  )
}

type ExtremesProps = { figures: BloodPressureReport } & Pick<ReportProps, 'zone' | 'address'>

function Extremes({ figures, zone, address }: ExtremesProps) {
  return (
    <dl class="report-facts">
      {(['highest', 'lowest'] as const).map((kind) => {
        const extreme = figures[kind]
        if (!extreme) return null
        const { systolic, diastolic, measuredAt } = extreme
        const value = `${systolic} / ${diastolic}`
        return (
          <div key={kind}>
            <dt>{kind === 'highest' ? words.reports.highestSystolic : words.reports.lowestSystolic}</dt>
            <dd>
              <strong>{value}</strong>
              <small> mmHg</small>
              <span class="report-note">
                <ValueInChart
                  address={address}
                  readingType={TYPE}
                  at={measuredAt}
                  zone={zone}
                  value={`${value} mmHg`}
                />
              </span>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
