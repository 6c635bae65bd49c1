// What stands in place of a list without alerts: when that was last checked, and what is watched at all. Where it is not known now, it
// says so.
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import { Empty } from '../../design/notice.tsx'
import { countText } from '../../format/numbers.ts'
import { sinceText } from '../../format/times.ts'
import { useLoad } from '../../hooks/use-load.ts'
import type { Shown } from './alert-groups.ts'
import type { Inbox } from './use-alerts.ts'

type Props = { rounds: RoundsClient; shown: Shown; inbox: Inbox; zone: string }

export function NothingOpen({ rounds, shown, inbox, zone }: Props) {
  const { listed, staleness, now } = inbox
  const isAsked = shown === 'active'
  const { data: rules } = useLoad([isAsked], async (signal) =>
    isAsked ? rounds.rules.list({}, { signal }) : undefined,
  )
  if (shown !== 'active')
    return (
      <Empty title={`No ${shown} alerts`}>
        <span>
          {shown === 'resolved'
            ? 'An alert is resolved when readings end it.'
            : 'An alert is retracted when what it was about was withdrawn or corrected.'}
        </span>
      </Empty>
    )
  const checked = listed ? sinceText(listed.atMs, now, zone) : ''
  if (staleness !== undefined)
    return (
      <Empty title="Whether there are open alerts is not known now.">
        <span>There were none at {checked}.</span>
      </Empty>
    )
  return (
    <Empty title="No open alerts">
      <span>Last checked at {checked}.</span>
      {rules && <span>{watchedText(rules)}</span>}
    </Empty>
  )
}

type Rules = { data: readonly { patientUid: string }[]; nextCursor: string | null }

/** "12 rules of 5 patients are watched." */
function watchedText({ data, nextCursor }: Rules): string {
  if (data.length === 0)
    return 'No rule is set for any patient of yours, so there will be none. Rules are set in the record of a patient, under “Alert rules”.'
  const patients = new Set(data.map(({ patientUid }) => patientUid)).size
  if (nextCursor !== null) return `More than ${data.length} rules are watched.`
  const rules = countText(data.length, 'rule')
  return `${rules} of ${countText(patients, 'patient')} ${data.length === 1 ? 'is' : 'are'} watched.`
}
