// The newest values that a person has seen, with the time until which they were the newest: a reload without a network shows them.
// They are in the session storage of the tab, as the tokens are. Without a session nothing is shown, so nothing is kept longer than
// one: closing the tab, signing out and another person who signs in remove them. They are in no address and in no cache.
import type { ReadingTypeEntry, StoredReading, Target } from '../../../typescript/src/client.ts'

const PREFIX = 'rounds.kept '
/** A tab may store about five million characters, for its tokens and drafts too. */
const MAX_CHARACTERS = 150_000
const MAX_PATIENTS = 12

type KeptLatest = { atMs: number; newest: StoredReading[]; future: StoredReading[] }
type KeptTargets = { atMs: number; targets: Target[] }

export type Kept = {
  latest: (patientUid: string) => KeptLatest | undefined
  keepLatest: (patientUid: string, latest: KeptLatest) => void
  targets: (patientUid: string) => KeptTargets | undefined
  keepTargets: (patientUid: string, targets: KeptTargets) => void
  /** What was read of this patient may be read no more. */
  forgetPatient: (patientUid: string) => void
  /** Why staff opened this patient: asked for once, not again after a reload. */
  reason: (patientUid: string) => string | undefined
  keepReason: (patientUid: string, reason: string) => void
  catalogue: () => ReadingTypeEntry[] | undefined
  keepCatalogue: (entries: ReadingTypeEntry[]) => void
}

/** Removes what another person has left in this tab. */
export function createKept(subject: string): Kept {
  const own = `${PREFIX}${JSON.stringify(subject)} `
  removeKept((key) => !key.startsWith(own))
  const keyOf = (...names: string[]) => `${own}${JSON.stringify(names)}`
  const keepOfPatient = (name: string, patientUid: string, value: { atMs: number }) => {
    write(keyOf(name, patientUid), value)
    removeOldest(`${own}["${name}",`)
  }
  return {
    latest: (patientUid) => read(keyOf('latest', patientUid)) as KeptLatest | undefined,
    keepLatest: (patientUid, latest) => keepOfPatient('latest', patientUid, latest),
    targets: (patientUid) => read(keyOf('targets', patientUid)) as KeptTargets | undefined,
    keepTargets: (patientUid, targets) => keepOfPatient('targets', patientUid, targets),
    forgetPatient(patientUid) {
      for (const name of ['latest', 'targets']) sessionStorage.removeItem(keyOf(name, patientUid))
    },
    reason: (patientUid) => (read(keyOf('reason', patientUid)) as { reason: string } | undefined)?.reason,
    keepReason: (patientUid, reason) => write(keyOf('reason', patientUid), { reason }),
    catalogue: () => read(keyOf('catalogue')) as ReadingTypeEntry[] | undefined,
    keepCatalogue: (entries) => write(keyOf('catalogue'), entries),
  }
}

export function removeKept(isMeant: (key: string) => boolean = () => true) {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(PREFIX) && isMeant(key)) sessionStorage.removeItem(key)
}

/** Staff open one patient after the other. */
function removeOldest(prefix: string) {
  const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix))
  if (keys.length <= MAX_PATIENTS) return
  const atMs = (key: string) => (read(key) as { atMs: number } | undefined)?.atMs ?? 0
  const [oldest] = keys.toSorted((one, other) => atMs(one) - atMs(other))
  if (oldest !== undefined) sessionStorage.removeItem(oldest)
}

function read(key: string): unknown {
  const text = sessionStorage.getItem(key)
  return text === null ? undefined : JSON.parse(text)
}

/** What is too large is not kept, and neither is what was there before: it would be taken for the newest. */
function write(key: string, value: object) {
  const text = JSON.stringify(value)
  sessionStorage.removeItem(key)
  if (text.length > MAX_CHARACTERS) return
  try {
    sessionStorage.setItem(key, text)
  } catch (error) {
    // There is no room. The screen needs what is kept only without a network.
    if (!(error instanceof DOMException)) throw error
  }
}
