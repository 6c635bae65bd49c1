import type { times as english } from '../en/times.ts'
import { counted } from '../language.ts'

const days = (count: number) => counted(count, { one: 'Tag', other: 'Tage' })

export const times: typeof english = {
  justNow: 'gerade eben',
  minutesAgo: (minutes) => `vor ${minutes} min`,
  yesterday: 'gestern',
  daysAgo: (count) => `vor ${count} Tagen`,
  now: 'jetzt',
  minutes: (count) => `${count} min`,
  hours: (count) => `${count} h`,
  shortDays: (count) => `${count} Tg.`,
  todayAt: (time) => `heute ${time}`,
  yesterdayAt: (time) => `gestern ${time}`,
  dayAt: (day, time) => `${day} ${time}`,
  at: (time) => `um ${time}`,
  today: 'heute',
  onDay: (day) => `am ${day}`,
  occasion: (day, time) => `${day}, ${time}`,
  lessThanMinute: 'weniger als eine Minute',
  days,
  ofDays: (count) => counted(count, { one: 'Tag', other: 'Tagen' }),
  wholeHours: (count) => counted(count, { one: 'Stunde', other: 'Stunden' }),
  wholeMinutes: (count) => counted(count, { one: 'Minute', other: 'Minuten' }),
  everyDays: (count) => (count === 1 ? 'täglich' : `alle ${days(count)}`),
  every: (length) => `alle ${length}`,
}
