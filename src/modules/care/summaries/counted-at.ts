// SQL: when a reading counts, as status/beyond.ts says it: when it was measured, but never later than its arrival; with an impossible time,
// when it arrived. It is written as the condition of the index casesheet.readings_out_of_time, which holds these readings.
import { HOUSE } from '../status/house.ts'

export const IS_STRANGE = `(measured_at - received_at > interval '${HOUSE.aheadHours} hours' or measured_at < '${HOUSE.firstYear}-01-01Z')`
export const COUNTED_AT = `case when ${IS_STRANGE} then received_at else least(measured_at, received_at) end`
