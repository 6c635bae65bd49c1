// The addresses of the plan: of one patient, or of a doctor for all who share with them, which names no patient.
import { useEffect, useState } from 'preact/hooks'
import type { Address, AddressChange } from '../../address.ts'
import { FOR_ALL } from '../../layout/screen-names.ts'

type Form = 'set-target' | 'set-rule'

/** Without a form, the plan itself. */
export function planOf(form: Form | undefined, patientUid: string, query: AddressChange['query'] = {}) {
  if (patientUid !== '') return { path: form ?? 'plan', query: { patient: patientUid, ...query } }
  const ofAll = { ...query, ...(form && { for: 'all' }), patient: undefined }
  return { path: form ?? FOR_ALL, query: ofAll }
}

/** What was set in the form before, which is said once: the address does not keep it. */
export function useJustSet(address: Address, name: 'target' | 'rule'): string | undefined {
  const [set] = useState(() => address.query.get(name) ?? undefined)
  useEffect(() => {
    if (set !== undefined) address.go({ query: { [name]: undefined } }, { replace: true })
  }, [])
  return set
}
