// Bringing in a file. Its state lives outside its screen: what is being sent goes on while its person looks at another one.
//
//   state       what it means                                                  what can follow
//   choosing    there is no file                                               reading
//   reading     the file is read; nothing is sent                              asking, previewed, unreadable, choosing
//   unreadable  the file is none of the known ones, or damaged                 reading, choosing
//   asking      the file does not say how its times are meant                  reading, choosing
//   previewed   what would be sent is shown                                    bringing, asking, choosing
//   bringing    it is sent; `held` while the service cannot be reached         brought, stopped, failed
//   brought     the whole file was sent                                        choosing
//   stopped     its person stopped it; what was stored stays                   bringing, choosing
//   failed      the service refused it, or the file could no longer be read    bringing, choosing
import type { RoundsError } from '../../../typescript/src/client.ts'
import type {
  ImportPreview,
  ImportProgress,
  ImportResult,
} from '../../../typescript/src/import/import-readings.ts'
import type { Store } from '../hooks/store.ts'

/** How the times of the file are meant, where it does not say so. */
export type Answers = { timeZone?: string; dayFirst?: boolean }

export type Chosen = {
  /** Whose record it goes into. */
  patientUid: string
  file: File
  answers: Answers
}

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
  | (Understood & { state: 'brought'; result: ImportResult })
  | (Understood & { state: 'stopped'; counts: Counts })
  | (Understood & { state: 'failed'; counts: Counts; error: unknown })

export type BringInStore = Store<BringIn>

export const CHOOSING: BringIn = { state: 'choosing' }
