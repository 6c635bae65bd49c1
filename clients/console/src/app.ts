// What all parts of the console share, made once after sign-in.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { RoundsClient } from '../../typescript/src/client.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { RequestLog } from './request-log.ts'
import type { Session } from './session/session.ts'
import type { Catalogue } from './words/reading-text.ts'

export type App = {
  session: Session
  rounds: RoundsClient
  outbox: Outbox
  requests: RequestLog
  /** The types that the service checks; asked for once. */
  catalogue: () => Promise<Catalogue>
}

export const AppContext = createContext<App | undefined>(undefined)

export function useApp(): App {
  const app = useContext(AppContext)
  if (!app) throw new Error('A part of the console stands outside it.')
  return app
}
