// Bringing in a file. Its state lives outside its screen: what is being sent goes on while its person looks at another one.
//
//   state       what it means                                                  what can follow
//   choosing    there is no file                                               reading
//   reading     the file is read; nothing is sent                              asking, previewed, unreadable, choosing
//   unreadable  the file is none of the known ones, or damaged                 reading, choosing
//   asking      the file does not say how its times are meant                  reading, choosing
//   previewed   what would be sent is shown                                    bringing, asking, choosing
//   bringing    it is sent; `held` while the service cannot be reached         brought, stopped, failed
//   brought     the whole file was sent                                        withdrawing, choosing
//   stopped     its person stopped it; what was stored stays                   bringing, withdrawing, choosing
//   failed      the service refused it, or the file could no longer be read    bringing, withdrawing, choosing
//   withdrawing what was stored is withdrawn, one by one                       withdrawn
//   withdrawn   how much was; `error` where not all could be                   withdrawing, choosing
import type { ReadingTypeEntry, RoundsError, StoredReading } from '../../../typescript/src/client.ts'
import type {
  GlucoseUnit,
  ImportPreview,
  ImportProgress,
  ImportResult,
} from '../../../typescript/src/import/import-readings.ts'
import type { Store } from '../hooks/store.ts'

/** How the times and values of the file are meant, where it does not say so. */
export type Answers = { timeZone?: string; dayFirst?: boolean; unit?: GlucoseUnit }

export type Chosen = {
  /** Whose record it goes into. */
  patientUid: string
  file: File
  answers: Answers
  /** The catalogue, so that what the service would refuse is shown before; undefined where it could not be read. */
  types: readonly ReadingTypeEntry[] | undefined
}

/** What this page has stored of the file: what was in the record before stays there. */
export type StoredHere = Pick<StoredReading, 'readingId' | 'timestamp'>[]

/** What the service said of the readings that were sent so far. */
export type Counts = { stored: number; duplicates: number; rejected: number }

type Understood = Chosen & { preview: ImportPreview }

export type BringIn =
  | { state: 'choosing' }
  | (Chosen & { state: 'reading'; progress: ImportProgress | undefined; stop: () => void })
  | (Chosen & { state: 'unreadable'; error: unknown })
  | (Understood & { state: 'asking' | 'previewed' })
  | (Understood & {
      state: 'bringing'
      counts: Counts
      held: RoundsError | undefined
      isStopping: boolean
      /** Sends no more, and ends as soon as what was sent is answered. */
      stop: () => void
    })
  | (Understood & { state: 'brought'; result: ImportResult; storedHere: StoredHere })
  | (Understood & { state: 'stopped'; counts: Counts; storedHere: StoredHere })
  | (Understood & { state: 'failed'; counts: Counts; storedHere: StoredHere; error: unknown })
  | (Understood & { state: 'withdrawing'; done: number; storedHere: StoredHere })
  | (Understood & { state: 'withdrawn'; done: number; storedHere: StoredHere; error?: unknown })

export type BringInStore = Store<BringIn>

export const CHOOSING: BringIn = { state: 'choosing' }
