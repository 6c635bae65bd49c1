// The way to the report on a type, where the server has one.
import type { Address } from '../address.ts'
import { useApp } from '../app.ts'
import { nameWithin } from '../format/type-names.ts'
import { Link } from '../ui/link.tsx'
import { words } from '../words/words.ts'

const REPORTS: Readonly<Record<string, string>> = {
  interstitialGlucose: 'glucose',
  bloodPressure: 'blood-pressure',
}

export function ReportLink(props: { readingType: string; address: Address; class: string }) {
  const { readingType, address } = props
  const { hasCare } = useApp()
  const report = Object.hasOwn(REPORTS, readingType) ? REPORTS[readingType] : undefined
  if (!hasCare || report === undefined) return null
  return (
    <Link
      class={props.class}
      address={address}
      to={{ path: 'reports', query: { report } }}
      label={words.reports.linkTo(nameWithin(readingType))}
    >
      {words.reports.report}
    </Link>
  )
}
