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
  AlertToSnooze,
  SnoozeAlertAnswer,
} from './contract.ts'
import { eachOf } from './each-of.ts'
import { listAllCells, type Merged, mustBeWhole } from './list-of-cells.ts'

// The largest pages, and the one without a limit.
const PAGE = 200
const DEFAULT_PAGE = 50

export type Alerts = {
  /**
   * Without `patientUid`, and with the token of a doctor: alerts of all patients who share with the doctor, those first that need somebody.
   * Each of them sees once a day that the doctor looked. Where patients are divided between cells, each cell is asked; `cells.missing`
   * then says whose alerts are not in the answer, nor in its counts. With `patientUid`: those of one patient, newest first.
   */
  list: (query?: AlertsQuery, options?: CallOptions) => Promise<Merged<AlertsAnswer>>
  /** All of them, page after page; `limit` is the size of a page. It fails where the patients of a cell are missing. */
  each: (query?: AlertsQuery, options?: CallOptions) => AsyncGenerator<Alert, void, undefined>
  /** What became of an alert, oldest first. */
  history: (query: AlertHistoryQuery, options?: CallOptions) => Promise<AlertHistoryAnswer>
  /** All of that, page after page. */
  eachEvent: (query: AlertHistoryQuery, options?: CallOptions) => AsyncGenerator<AlertEvent, void, undefined>
  /** Says that the doctor of the token has seen it. It may be repeated: the first acknowledgement stays. */
  acknowledge: (alert: AlertToAcknowledge, options?: CallOptions) => Promise<AcknowledgeAlertAnswer>
  /** Puts it off until a time of at most seven days ahead; a time that is over ends that. It may be repeated. */
  snooze: (alert: AlertToSnooze, options?: CallOptions) => Promise<SnoozeAlertAnswer>
}

type AnyQuery = object & { patientUid?: string | undefined }

/** How the client sends a query and a body. */
type Calls = {
  read: <Answer>(path: string, query: AnyQuery, options?: CallOptions) => Promise<Answer>
  post: <Answer>(path: string, body: { patientUid: string }, options?: CallOptions) => Promise<Answer>
}

export function createAlerts(addressIn: (cell: string | undefined) => string, { read, post }: Calls): Alerts {
  const care = addressIn(undefined)
  const list = async (query: AlertsQuery = {}, options?: CallOptions) =>
    query.patientUid === undefined
      ? listAllCells<AlertsQuery, AlertsAnswer>(
          {
            limit: DEFAULT_PAGE,
            ask: (cell, asked, callOptions) => read(`${addressIn(cell)}/alerts/list`, asked, callOptions),
            combine: combineAnswers,
          },
          query,
          options,
        )
      : read<AlertsAnswer>(`${care}/alerts/list`, query, options)
  const history = (query: AlertHistoryQuery, options?: CallOptions) =>
    read<AlertHistoryAnswer>(`${care}/alerts/history`, query, options)
  return {
    list,
    each: (query = {}, options) =>
      eachOf(async (page) => mustBeWhole(await list(page, options)), query, PAGE),
    history,
    eachEvent: (query, options) => eachOf((page) => history(page, options), query, PAGE),
    acknowledge: async (alert, options) => {
      mustBeAlert(alert)
      return post<AcknowledgeAlertAnswer>(`${care}/alerts/acknowledge`, alert, options)
    },
    snooze: async (alert, options) => {
      mustBeAlert(alert)
      return post<SnoozeAlertAnswer>(`${care}/alerts/snooze`, alert, options)
    },
  }
}

type Counts = NonNullable<AlertsAnswer['counts']>

/** Counts are added; the list is as old as its oldest part. */
function combineAnswers(answers: ReadonlyMap<string, AlertsAnswer>): Partial<AlertsAnswer> {
  const parts = [...answers.values()]
  const sum = (of: (counts: Counts) => number) =>
    parts.reduce((total, { counts }) => total + (counts ? of(counts) : 0), 0)
  const behind = parts.map(({ behindSince }) => behindSince).filter((instant) => instant !== null)
  return {
    behindSince: behind.sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null,
    counts: {
      open: {
        urgent: sum(({ open }) => open.urgent),
        warning: sum(({ open }) => open.warning),
        notice: sum(({ open }) => open.notice),
      },
      acknowledged: sum(({ acknowledged }) => acknowledged),
      snoozed: sum(({ snoozed }) => snoozed),
      beyond: sum(({ beyond }) => beyond),
    },
  }
}
