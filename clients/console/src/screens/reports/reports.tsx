// Reports: glucose, blood pressure, and days with data; each on screen and on one printed page. What is shown is in the address.
import { useApp } from '../../app.ts'
import { nameWithin } from '../../format/type-names.ts'
import { useStored } from '../../hooks/store.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useOnline } from '../../hooks/use-online.ts'
import { usePatientName } from '../../patients/sharing-patients.ts'
import type { ScreenProps } from '../../screen.ts'
import { Choice } from '../../ui/fields.tsx'
import { Empty, ErrorNotice, Loading } from '../../ui/notice.tsx'
import { words } from '../../words/words.ts'
import { BloodPressure } from './blood-pressure-report.tsx'
import { DaysWithData } from './days-report.tsx'
import { Glucose } from './glucose-report.tsx'
import { type NewestByType, newestByType } from './newest-by-type.ts'
import './reports.css'

const REPORTS = {
  glucose: { needs: 'interstitialGlucose', Report: Glucose },
  'blood-pressure': { needs: 'bloodPressure', Report: BloodPressure },
  days: { needs: undefined, Report: DaysWithData },
} as const
type ReportName = keyof typeof REPORTS
const NAMES = Object.keys(REPORTS) as ReportName[]

export function Reports(props: ScreenProps) {
  const { rounds, patientUid, address } = props
  const { hasCare, access } = useApp()
  const isOnline = useOnline()
  const { data, error, reload } = useLoad([patientUid], (signal) => newestByType(rounds, patientUid, signal))
  const limitedTo = useStored(access.known).get(patientUid)?.limitedTo
  const asked = NAMES.find((name) => name === address.query.get('report'))
  const report = asked ?? (data && usualReport(data))
  if (!hasCare) return <Empty title={words.reports.none} />
  const { needs, Report } = REPORTS[report ?? 'days']
  const isShared = needs === undefined || limitedTo === undefined || limitedTo.includes(needs)
  return (
    <div class="reports">
      <div class="row report-bar">
        <Choice
          aria-label={words.reports.report}
          value={report}
          set={(name) => address.go({ query: { report: name, days: undefined, type: undefined } })}
          options={NAMES.map((name) => [name, words.reports.names[name]] as const)}
        />
        <button type="button" class="button report-print" onClick={() => print()}>
          {words.reports.print}
        </button>
      </div>
      {error !== undefined && !data ? (
        <ErrorNotice error={error} onRetry={reload} />
      ) : data === undefined && !isOnline ? (
        <Empty title={words.today.reportsOffline}>
          <span>{words.today.reportsComeBack}</span>
        </Empty>
      ) : data === undefined ? (
        <Loading lines={1} height={640} />
      ) : isShared ? (
        <Report key={report} {...props} newest={data} />
      ) : (
        <NotShared patientUid={patientUid} readingType={needs} />
      )}
    </div>
  )
}

/** What the patient has readings for. */
function usualReport(newest: NewestByType): ReportName {
  return (
    NAMES.find((name) => newest.has(REPORTS[name].needs ?? '')) ??
    (newest.has('bloodGlucose') ? 'glucose' : 'days')
  )
}

function NotShared({ patientUid, readingType }: { patientUid: string; readingType: string }) {
  const name = usePatientName(patientUid)
  return (
    <Empty title={words.reports.notShared(nameWithin(readingType))}>
      <span>{words.reports.decides(<bdi>{name}</bdi>)}</span>
    </Empty>
  )
}
