// Alerts: rules of doctors that hold for a patient's readings, and what became of them. They exist where the service has switched them on.
import type { CallOptions } from './call.ts'
import { mustBeAlert } from './check-arguments.ts'
import type {
  AcknowledgeAlertAnswer,
  Alert,
  AlertEvent,
  AlertHistoryAnswer,
  AlertHistoryQuery,
  AlertsAnswer,
  AlertsQuery,
  AlertToAcknowledge,
} from './contract.ts'
import { eachOf } from './each-of.ts'

// The largest page.
const PAGE = 200

export type Alerts = {
  /**
   * Without `patientUid`, and with the token of a doctor: alerts of all patients who share with the doctor, those first that need somebody.
   * Each of them sees once a day that the doctor looked. With `patientUid`: those of one patient, newest first.
   */
  list: (query?: AlertsQuery, options?: CallOptions) => Promise<AlertsAnswer>
  /** All of them, page after page; `limit` is the size of a page. */
  each: (query?: AlertsQuery, options?: CallOptions) => AsyncGenerator<Alert, void, undefined>
  /** What became of an alert, oldest first. */
  history: (query: AlertHistoryQuery, options?: CallOptions) => Promise<AlertHistoryAnswer>
  /** All of that, page after page. */
  eachEvent: (query: AlertHistoryQuery, options?: CallOptions) => AsyncGenerator<AlertEvent, void, undefined>
  /** Says that the doctor of the token has seen it. It may be repeated: the first acknowledgement stays. */
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
  const history = (query: AlertHistoryQuery, options?: CallOptions) =>
    read<AlertHistoryAnswer>(`${care}/alerts/history`, query, options)
  return {
    list,
    each: (query = {}, options) => eachOf((page) => list(page, options), query, PAGE),
    history,
    eachEvent: (query, options) => eachOf((page) => history(page, options), query, PAGE),
    acknowledge: async (alert, options) => {
      mustBeAlert(alert)
      return post<AcknowledgeAlertAnswer>(`${care}/alerts/acknowledge`, alert, options)
    },
  }
}
