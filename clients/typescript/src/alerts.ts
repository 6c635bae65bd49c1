// Alerts: rules of doctors that hold for a patient's readings. They exist where the service has switched them on.
import type { CallOptions } from './call.ts'
import { mustBeAlert } from './check-arguments.ts'
import type {
  AcknowledgeAlertAnswer,
  Alert,
  AlertsAnswer,
  AlertsQuery,
  AlertToAcknowledge,
} from './contract.ts'
import { eachOf } from './each-of.ts'

// The largest page.
const PAGE = 200

export type Alerts = {
  /**
   * Those that are open, or in another `state`, newest first. With the token of a doctor and without `patientUid`: of all patients who
   * share with the doctor; each of them sees once a day that the doctor looked. What became of an alert is in the timeline.
   */
  list: (query?: AlertsQuery, options?: CallOptions) => Promise<AlertsAnswer>
  /** All of them, page after page; `limit` is the size of a page. */
  each: (query?: AlertsQuery, options?: CallOptions) => AsyncGenerator<Alert, void, undefined>
  /** Says that the doctor of the token has seen it, and nothing else: `reviews.add` says what was seen of a patient. It may be repeated. */
  acknowledge: (alert: AlertToAcknowledge, options?: CallOptions) => Promise<AcknowledgeAlertAnswer>
}

type AnyQuery = object & { patientUid?: string | undefined }

/** How the client sends a query and a body. */
type Calls = {
  read: <Answer>(path: string, query: AnyQuery, options?: CallOptions) => Promise<Answer>
  post: <Answer>(path: string, body: { patientUid: string }, options?: CallOptions) => Promise<Answer>
}

export function createAlerts(care: string, { read, post }: Calls): Alerts {
  const list = (query: AlertsQuery = {}, options?: CallOptions) =>
    read<AlertsAnswer>(`${care}/alerts/list`, query, options)
  return {
    list,
    each: (query = {}, options) => eachOf((page) => list(page, options), query, PAGE),
    acknowledge: async (alert, options) => {
      mustBeAlert(alert)
      return post<AcknowledgeAlertAnswer>(`${care}/alerts/acknowledge`, alert, options)
    },
  }
}
