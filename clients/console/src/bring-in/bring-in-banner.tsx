// On other screens: that a file is being imported, for whom, and what became of it.
import type { Address } from '../address.ts'
import { useApp } from '../app.ts'
import { countText } from '../format/numbers.ts'
import { useStored } from '../hooks/store.ts'
import { namedFor, patientFor } from '../session/patient-for.ts'
import { Link } from '../ui/link.tsx'
import type { BringIn } from './bring-in.ts'

export function BringInBanner({ address }: { address: Address }) {
  const { bringIn, session } = useApp()
  const now = useStored(bringIn)
  const text = textOf(now)
  if (text === undefined || !('patientUid' in now)) return null
  const { patientUid, file } = now
  // Its own screen shows it.
  if (address.path === 'bring-in' && patientFor(session.person, address) === patientUid) return null
  return (
    <div class={now.state === 'failed' ? 'notice bad' : 'notice'}>
      <span dir="auto">
        <bdi>{file.name}</bdi>
        {namedFor(session.person, patientUid)}: {text}
      </span>
      <Link address={address} to={{ path: 'bring-in', query: { patient: patientUid } }}>
        Show
      </Link>
    </div>
  )
}

/** Without numbers that change: it is read aloud when it does. */
function textOf(now: BringIn): string | undefined {
  if (now.state === 'bringing') return 'readings are being imported. Keep this page open.'
  if (now.state === 'brought')
    return `${countText(now.result.stored, 'reading was', 'readings were')} stored.`
  if (now.state === 'withdrawing') return 'its readings are being withdrawn. Keep this page open.'
  if (now.state === 'withdrawn') return `${countText(now.done, 'reading was', 'readings were')} withdrawn.`
  if (now.state === 'failed') return 'not all readings were imported.'
  return now.state === 'stopped' ? 'stopped.' : undefined
}
