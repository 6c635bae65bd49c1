// What a local clock showed, as the ms since 1970 at which one in UTC shows it.
import { DAY } from '../status/beyond.ts'

const MINUTE = 60_000

/** The number of its date since 1970. */
export const dayOf = (clock: number) => Math.floor(clock / DAY)
export const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10)
export const dayOfDate = (date: string) => dayOf(Date.parse(date))
export const minuteOf = (clock: number) => Math.floor((clock - dayOf(clock) * DAY) / MINUTE)

/** To the millisecond below, as readings/get has it. */
export const instantOfMs = (at: number) => new Date(Math.floor(at)).toISOString()
