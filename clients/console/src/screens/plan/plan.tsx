// The plan of a patient, or of a doctor for all who share with them: targets, and beside them what doctors want to be told.
import { useApp } from '../../app.ts'
import type { ScreenProps } from '../../screen.ts'
import { Empty } from '../../ui/notice.tsx'
import { Timeline } from '../overview/timeline.tsx'
import './plan.css'
import { words } from '../../words/words.ts'
import { Rules } from './rules.tsx'
import { Targets } from './targets.tsx'

export const PlanForAll = (props: ScreenProps) => <Plan {...props} patientUid="" />

/** Without a patient, for all. */
export function Plan(props: ScreenProps) {
  const { hasCare, hasAlerts, session } = useApp()
  const { patientUid } = props
  if (!hasCare) return <Empty title={words.plan.noTargets} />
  return (
    <div class="plan">
      <Targets {...props} />
      <div class="plan-rules">
        {hasAlerts && <Rules {...props} />}
        {session.person.patientUids.includes(patientUid) && <Timeline {...props} />}
      </div>
    </div>
  )
}
