// The sentence above the cards, the way to set targets where there are none, and below the cards how all this comes about.
import type { Address } from '../../address.ts'
import { useMaySetTargets } from '../../care/may-set-targets.ts'
import { Link } from '../../ui/link.tsx'
import { words } from '../../words/words.ts'

/** Of what stands there without targets. */
const NONE_CHARACTERS = 32

type Props = {
  /** Nothing while it is loading. */
  parts: readonly string[]
  /** Nothing as long as it is not known. */
  hasTargets: boolean | undefined
  /** They could not be read. */
  isFailed: boolean
  patientUid: string
  address: Address
}

export function Summary({ parts, hasTargets, isFailed, patientUid, address }: Props) {
  const { data: maySet } = useMaySetTargets(patientUid)
  const [first, ...others] = parts
  const characters = 1 + parts.join('; ').length + (hasTargets === false && maySet ? NONE_CHARACTERS : 0)
  return (
    <p class="summary-said" style={{ '--characters': String(characters) }} dir="auto">
      {first !== undefined && (
        <>
          {hasTargets ? <strong>{first}</strong> : first}
          {others.map((part) => `; ${part}`).join('')}.{' '}
        </>
      )}
      {isFailed && hasTargets === undefined && <span class="muted">Targets cannot be shown now.</span>}
      {hasTargets === false && maySet === true && (
        <>
          <span class="muted">No targets are set.</span>{' '}
          <Link class="link" address={address} to={{ path: 'plan' }}>
            Set targets
          </Link>
        </>
      )}
    </p>
  )
}

/** Below the cards. */
export function Rule({ address }: { address: Address }) {
  return (
    <details class="summary-rule">
      <summary>{words.today.howWorkedOut}</summary>
      <p>
        {words.today.workedOut(
          <Link address={address} to={{ path: 'plan' }}>
            {words.today.target}
          </Link>,
        )}
      </p>
    </details>
  )
}
