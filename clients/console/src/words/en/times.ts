import { counted } from '../language.ts'

const days = (count: number) => counted(count, { one: 'day', other: 'days' })

/** Ages, moments and lengths of time. */
export const times = {
  justNow: 'just now',
  minutesAgo: (minutes: number) => `${minutes} min ago`,
  yesterday: 'yesterday',
  daysAgo: (count: number) => `${count} days ago`,
  /** In a column. */
  now: 'now',
  minutes: (count: number | string) => `${count} min`,
  hours: (count: number) => `${count} h`,
  shortDays: (count: number) => `${count} d`,
  todayAt: (time: string) => `today ${time}`,
  yesterdayAt: (time: string) => `yesterday ${time}`,
  dayAt: (day: string, time: string) => `${day} ${time}`,
  /** Within a sentence, of today. */
  at: (time: string) => `at ${time}`,
  today: 'today',
  onDay: (day: string) => `on ${day}`,
  /** "today, 03:12". */
  occasion: (day: string, time: string) => `${day}, ${time}`,
  lessThanMinute: 'less than a minute',
  days,
  /** After a preposition: within 2 days. */
  ofDays: days,
  wholeHours: (count: number) => counted(count, { one: 'hour', other: 'hours' }),
  wholeMinutes: (count: number) => counted(count, { one: 'minute', other: 'minutes' }),
  /** How often: "every day", "every 3 days". */
  everyDays: (count: number) => (count === 1 ? 'every day' : `every ${days(count)}`),
  every: (length: string) => `every ${length}`,
}
