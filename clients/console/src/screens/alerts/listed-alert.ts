// Parts of an alert in the inbox of a doctor.
import type { Alert, AlertsAnswer } from '../../../../typescript/src/client.ts'

export type { Alert }
export type Counts = NonNullable<AlertsAnswer['counts']>
