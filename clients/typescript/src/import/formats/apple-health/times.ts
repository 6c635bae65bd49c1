// Times as Apple Health writes them: 2026-03-01 08:15:30 +0100.
import { utcOf } from '../../local-time.ts'

const FORM = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)$/

export function instantIn(text: string | undefined): number | undefined {
  const match = FORM.exec(text ?? '')
  if (!match) return undefined
  const [, year, month, day, hour, minute, second, sign, hours, minutes] = match
  const utc = utcOf({
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  })
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
  return utc === undefined ? undefined : utc - (sign === '-' ? -offset : offset)
}
