// What was typed and not sent: it survives a reload and a new sign-in, in the session storage of the tab. Each person has their own,
// and signing out removes them (src/session/session.ts).
import { useEffect, useState } from 'preact/hooks'
import { draftKey } from '../../session/drafts.ts'
import type { Typed } from './read-form.ts'

type Of = { subject: string; patientUid: string; readingType: string }

/** `corrected` takes the place of what was typed before. */
export function useDraft(
  of: Of,
  blank: Typed,
  corrected: Typed | undefined,
): [Typed, (typed: Typed) => void] {
  const key = draftKey(of.subject, of.patientUid, of.readingType)
  const [typed, setTyped] = useState<Typed>(() => corrected ?? stored(key, blank))
  useEffect(() => {
    const isBlank = JSON.stringify(typed) === JSON.stringify({ ...blank, unit: typed.unit })
    if (isBlank) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(typed))
  }, [key, typed])
  return [typed, setTyped]
}

function stored(key: string, blank: Typed): Typed {
  const text = sessionStorage.getItem(key)
  return text === null ? blank : { ...blank, ...(JSON.parse(text) as Typed) }
}
