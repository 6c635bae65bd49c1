// SQL: when a reading counts, as status/beyond.ts says it: when it was measured, but never later than its arrival; with an impossible time,
// when it arrived.
import { HOUSE } from '../status/house.ts'

/** The very conditions of the indexes readings_strange and readings_late. */
export const IS_STRANGE = `(measured_at - received_at > interval '${HOUSE.aheadHours} hours' or measured_at < '${HOUSE.firstYear}-01-01Z')`
export const IS_LATE = "measured_at - received_at < interval '-14 days'"

export const COUNTED_AT = `case when ${IS_STRANGE} then received_at else least(measured_at, received_at) end`

/** SQL: an instant as the judgement has it, in ms since 1970. */
export const inMs = (instant: string) => `date_part('epoch', ${instant}) * 1000`
