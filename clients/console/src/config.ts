// What the server says about itself: where people sign in, where the API is, and how tokens say who may do what.
import { RoundsError } from '../../typescript/src/client.ts'

export type ConsoleConfig = {
  issuer: string
  clientId: string
  scope?: string
  resource?: string
  casesheetUrl: string
  appointmentsUrl: string
  /** Absent where the server has no targets and reports. */
  careUrl?: string
  /** Whether the server evaluates rules and has alerts. */
  alerts?: boolean
  patientClaim?: string
  doctorClaim?: string
  staffScope?: string
  /** To call in an emergency. The product has none of its own. */
  emergencyNumber?: string
}

/** In the tab, as the tokens are: without a network it starts with the one that its session began with. */
const KEPT = 'rounds.config'
const WITHIN_MS = 5_000
/** With none kept there is nothing else to show: a slow network gets its time. */
const FIRST_WITHIN_MS = 30_000

export async function readConfig(): Promise<ConsoleConfig> {
  const kept = sessionStorage.getItem(KEPT)
  try {
    const withinMs = kept === null ? FIRST_WITHIN_MS : WITHIN_MS
    const response = await fetch('/console/config.json', { signal: AbortSignal.timeout(withinMs) })
    if (!response.ok) throw noConfig(response.status)
    const config = (await response.json()) as ConsoleConfig
    sessionStorage.setItem(KEPT, JSON.stringify(config))
    return config
  } catch (error) {
    if (kept === null) throw error
    return JSON.parse(kept) as ConsoleConfig
  }
}

function noConfig(status: number): RoundsError {
  const message = `The server gave no configuration of the console (${status}).`
  return new RoundsError({
    code: status >= 500 ? 'DatabaseUnavailable' : 'UnexpectedAnswer',
    message,
    retryable: status >= 500,
    status,
  })
}
