// The target with who set it and when; or where there is none, the way to set one. Nothing is compared before.
import type { Target } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import type { Range } from '../../care/in-target.ts'
import { useMaySetTargets } from '../../care/may-set-targets.ts'
import { rangesTextIn, setTextOnPaper } from '../../care/target-text.ts'
import { useReader } from '../../care/use-reader.ts'
import { Link } from '../../ui/link.tsx'
import { words } from '../../words/words.ts'

type TargetLineProps = { target: Target; ranges: readonly Range[]; unit: string; zone: string }

export function TargetLine({ target, ranges, unit, zone }: TargetLineProps) {
  const reader = useReader([target])
  return (
    <p class="report-note">
      {words.reports.targetLine(
        ranges.length === 0 ? undefined : rangesTextIn(ranges, unit),
        setTextOnPaper(target, { ...reader, zone }),
      )}
    </p>
  )
}

type NoTargetProps = { patientUid: string; readingType: string; address: Address }

export function NoTarget({ patientUid, readingType, address }: NoTargetProps) {
  const maySet = useMaySetTargets(patientUid).data === true
  return (
    <section class="report-no-target" aria-label={words.reports.target}>
      <h3>{words.reports.noTarget}</h3>
      <p class="muted">{words.reports.notCompared}</p>
      {maySet && (
        <Link class="button" address={address} to={{ path: 'set-target', query: { type: readingType } }}>
          {words.reports.chooseTarget}
        </Link>
      )}
    </section>
  )
}
